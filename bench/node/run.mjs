// The part of the measurement that runs in Node. It reads one command a line, in JSON,
// and answers each with one line. Times are taken here, so that they do not include the
// pipe between the two processes.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { runInThisContext } from 'node:vm'

let ghostery, urls, program, engine

const contenders = {
  decide(url) {
    return bench.decide(program, url).action === 'allow'
  },
  judge(url) {
    return bench.judge(program, url).action === 'allow'
  },
  ghostery(url) {
    const request = ghostery.Request.fromRawDetails({ url, sourceUrl: 'https://sandbox.localhost/', type: 'xmlhttprequest' })
    return !engine.match(request).match
  },
  parse(url) {
    return new URL(url).host !== ''
  },
}

// loops has a separate function for each contender. In a shared one, a call site that
// has seen several functions would be slower than in any user's program. The name makes
// each text different, because V8 keeps what it learns about a function by its text.
const loops = Object.fromEntries(Object.keys(contenders).map((name) => [name, new Function('decide', 'urls', 'requests', 'passes', `// ${name}
  let allowed = 0
  for (let pass = 0; pass < passes; pass++) {
    for (let i = 0; i < requests; i++) if (decide(urls[i])) allowed++
  }
  return allowed
`)]))

const commands = {
  start({ worker, packages }) {
    globalThis.bench = {}
    runInThisContext(worker)
    const require = createRequire(packages + '/')
    ghostery = require('@ghostery/adblocker')
    return { node: process.version, v8: process.versions.v8, ghostery: require('@ghostery/adblocker/package.json').version }
  },
  urls(all) {
    urls = all
    // A browser gives the worker its own spelling of a URL, so only that spelling is
    // measured.
    return all.map((url) => (URL.canParse(url) ? new URL(url).href : ''))
  },
  open({ program: text, times }) {
    return { ns: timed(times, () => {
      program = bench.open(text)
      if (program === undefined) throw new Error('the worker cannot open the program')
    }) }
  },
  filters({ text, times }) {
    const ns = timed(times, () => {
      engine = ghostery.FiltersEngine.parse(text, { loadCosmeticFilters: false })
    })
    return { ns, bytes: engine.serialize().byteLength }
  },
  answers() {
    return urls.map((url) => {
      const { action, rule } = bench.decide(program, url)
      return { action, rule }
    })
  },
  run({ contender, requests, passes }) {
    const begin = process.hrtime.bigint()
    const allowed = loops[contender](contenders[contender], urls, requests, passes)
    return { ns: Number(process.hrtime.bigint() - begin), allowed }
  },
}

function timed(times, f) {
  return Array.from({ length: times }, () => {
    globalThis.gc()
    const begin = process.hrtime.bigint()
    f()
    return Number(process.hrtime.bigint() - begin)
  })
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer
  try {
    const [command, argument] = JSON.parse(line)
    answer = { value: commands[command](argument) }
  } catch (error) {
    answer = { error: error.stack }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
}
