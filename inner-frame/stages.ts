// The stages of a boot. Each has its own deadline, and a boot that misses one says
// which it was.
import type { BootCode, Stage } from '../protocol/protocol.gen'
import { DeadlineError, within } from './deadline'

export class BootError extends Error {
  constructor(readonly code: BootCode, text: string, readonly advice: string) {
    super(text)
  }
}

const deadline = 10_000 // milliseconds

let current: Stage = 'page'
let tell = (_: Stage): void => {}

// watchStages calls listener at the start of each stage.
export function watchStages(listener: (stage: Stage) => void): void {
  tell = listener
}

// tellStage reports the stage again, to an outer frame that has just started to listen.
export function tellStage(): void {
  tell(current)
}

// timely waits for the work of a stage. what says what did not happen, if the deadline
// passes.
export async function timely<T>(stage: Stage, what: string, work: Promise<T>, milliseconds = deadline): Promise<T> {
  if (current !== stage) {
    current = stage
    tell(stage)
  }
  try {
    return await within(milliseconds, work)
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
    throw new BootError(`${stage}-timeout`, `${what} within ${milliseconds / 1000} s.`, 'Load the page again; if that does not help, restart the browser.')
  }
}
