// What the user reads about a failed start. The boot page sends only a code: another
// view of the same sandbox can reach into it and could make it send any text.
import type { BootCode } from '../protocol/protocol.gen'

export type FrameCode = Exclude<BootCode, 'sandbox-gone' | 'containment-missing' | 'navigation-blocked' | 'message-flood' | 'crashed' | 'app-refused'>

const again = 'Reload the page. If that does not help, restart the browser.'
const server = 'Check that Bellglass is still running and that this sandbox still exists. Then reload the page.'

export const bootFailures: Readonly<Record<FrameCode, readonly [text: string, advice: string]>> = {
  'insecure-context': ['This address is not a secure context, so the browser offers no service workers.', 'Serve Bellglass from localhost or over HTTPS.'],
  'worker-unsupported': ['This browser offers no service workers here.', 'Use a current browser. In some browsers, private windows have no service workers.'],
  'storage-blocked': ['The browser refused the sandbox’s worker, because it blocks storage for framed sites.', 'Allow storage for framed sites (third-party cookies) for this page, or use another browser profile.'],
  'no-origin': ['The frame around the sandbox has a sandbox attribute without allow-same-origin, so the sandbox has no origin and no worker.', 'Add allow-same-origin to that attribute. The sandbox stays apart from your page: it has an origin of its own.'],
  'worker-refused': ['The sandbox’s worker could not be installed.', server],
  'page-timeout': ['The page that starts the sandbox did not load in time.', server],
  'register-timeout': ['The browser did not register the sandbox’s worker in time.', again],
  'control-timeout': ['The sandbox’s worker did not take control in time.', again],
  'state-timeout': ['The sandbox’s worker did not answer in time.', server],
  'outer-timeout': ['The frame around the sandbox did not answer in time.', again],
  'entry-timeout': ['The sandbox’s own document did not load in time.', server],
  'state-unreachable': ['The worker runs but cannot get its rules and files from the server.', server],
  'version-mismatch': ['The worker in control is not the one that the server serves.', 'Close all tabs with this sandbox and open it again.'],
  'boot-loop': ['The sandbox’s worker does not come into control, even after several reloads.', 'Close all tabs with this sandbox and open it again.'],
}
