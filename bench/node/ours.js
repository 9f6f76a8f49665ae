// The only file that knows how to call the worker's code. It is bundled with that code,
// as the worker is.
import { decide, judge } from '../sw/src/decide'
import { openProgram } from '../sw/src/program'

bench.open = openProgram
bench.decide = (program, url) => decide(program, { method: 'GET', url, type: 'fetch' })
bench.judge = (program, url) => judge(program, { method: 'GET', url, type: 'fetch' })
