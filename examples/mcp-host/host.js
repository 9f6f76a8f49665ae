// The page: the MCP server's tools, a form for their arguments, and the app of the tool
// that ran. Everything from the server or the app is shown as text.
import { View } from './view.js'

const element = (id) => document.getElementById(id)
const dark = matchMedia('(prefers-color-scheme: dark)')
const theme = () => (dark.matches ? 'dark' : 'light')

let proxy // address of the sandbox proxy
let tools = []
let chosen // the tool in the form
let view // of the tool that ran last

// ask sends a request to this page's program, and through it to the MCP server.
async function ask(path, params = {}) {
  let response
  try {
    response = await fetch(path, { method: 'POST', body: JSON.stringify(params) })
  } catch {
    throw new Error('The host does not answer. Look at its terminal, start it again, and reload this page.')
  }
  if (!response.ok) throw new Error(await response.text())
  const { result, error } = await response.json()
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

// note adds a line to the activity. The app controls how many lines there are.
function note(who, what, detail) {
  const most = 100
  const line = document.createElement('li')
  line.dataset.who = who
  for (const [name, text] of [['span', who], ['b', what], ['code', typeof detail === 'string' ? detail : JSON.stringify(detail)]]) {
    if (text === undefined) continue
    line.appendChild(document.createElement(name)).textContent = text.length > 400 ? text.slice(0, 400) + '…' : text
  }
  element('lines').append(line)
  while (element('lines').children.length > most) element('lines').firstElementChild.remove()
  element('lines').scrollTop = element('lines').scrollHeight
  element('quiet').hidden = true
}

function problem(text) {
  element('problem').textContent = text
  element('problem').hidden = text === ''
}

// The requests that an app can make of this host.
const host = {
  context: () => ({
    theme: theme(), displayMode: 'inline', availableDisplayModes: ['inline'],
    locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, platform: 'web', userAgent: 'bellglass-mcp-host',
    toolInfo: { tool: chosen.tool },
  }),
  requests: {
    async 'tools/call'(params) {
      note('app', 'calls a tool', `${params.name} ${JSON.stringify(params.arguments ?? {})}`)
      // The server says which of its tools an app may call.
      if (!tools.some(({ tool, forApp }) => forApp && tool.name === params.name)) throw Object.assign(new Error(`No tool ${params.name} is for apps.`), { code: -32602 })
      return ask('/mcp/tools/call', params)
    },
    'resources/list': (params) => ask('/mcp/resources/list', params),
    'resources/templates/list': (params) => ask('/mcp/resources/templates/list', params),
    async 'resources/read'(params) {
      note('app', 'reads a resource', params.uri)
      return ask('/mcp/resources/read', params)
    },
    async 'ui/open-link'({ url }) {
      const address = URL.parse(url)
      const opened = ['http:', 'https:'].includes(address?.protocol) && await confirmLink(address.href)
      note('app', opened ? 'opened a link' : 'opened no link', String(url))
      return opened ? {} : { isError: true }
    },
    // A host with a model adds it to the conversation.
    async 'ui/message'({ content }) {
      note('app', 'says', content?.map?.(({ text }) => text).join(' '))
      return {}
    },
    'ui/request-display-mode': async () => ({ mode: 'inline' }),
  },
  notifications: {
    // Bellglass reports this way what the app requests and does not get.
    'notifications/message': ({ level, logger, data }) => note(logger === 'bellglass' ? 'glass' : 'app', level ?? 'logs', data),
  },
}

// confirmLink asks the user about one link at a time. After the user declines, the same
// view cannot ask again. Otherwise it could block the page with questions.
let declined
function confirmLink(address) {
  const dialog = element('link')
  if (dialog.open || declined === view) return false
  const asking = view
  dialog.querySelector('code').textContent = address
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise((resolve) => dialog.addEventListener('close', () => {
    const open = dialog.returnValue === 'open'
    if (open) window.open(address, '_blank', 'noopener,noreferrer')
    else declined = asking
    resolve(open)
  }, { once: true }))
}

// example returns arguments that fit a tool's input schema.
function example({ properties = {}, required = [] } = {}) {
  const empty = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} }
  const filled = {}
  for (const [name, { type, default: value, enum: choices } = {}] of Object.entries(properties)) {
    if (value !== undefined) filled[name] = value
    else if (required.includes(name)) filled[name] = choices?.[0] ?? empty[type] ?? null
  }
  return filled
}

function choose(entry) {
  chosen = entry
  const { tool } = entry
  for (const button of element('tools').querySelectorAll('button')) button.ariaCurrent = String(button.dataset.name === tool.name)
  element('title').textContent = tool.title ?? tool.annotations?.title ?? tool.name
  element('about').textContent = tool.description ?? ''
  const text = JSON.stringify(example(tool.inputSchema), null, 2)
  element('arguments').value = text
  element('arguments').rows = Math.min(Math.max(text.split('\n').length, 2), 12)
  element('mistake').textContent = ''
  element('call').hidden = false
}

function readArguments() {
  const value = JSON.parse(element('arguments').value.trim() || '{}')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('write an object, such as {}')
  return value
}

async function run(event) {
  event.preventDefault()
  let given
  try {
    given = readArguments()
    element('mistake').textContent = ''
  } catch ({ message }) {
    element('mistake').textContent = `These arguments are not a JSON object: ${message}`
    return element('arguments').focus()
  }
  element('run').disabled = true
  problem('')
  try {
    await view?.close()
    view = undefined
    await runTool(chosen, given)
  } catch ({ message }) {
    problem(message)
  } finally {
    element('run').disabled = false
  }
}

async function runTool({ tool, ui }, given) {
  element('outcome').hidden = element('said').hidden = true
  note('you', 'run', `${tool.name} ${JSON.stringify(given)}`)
  // The app loads while the tool runs.
  const running = ask('/mcp/tools/call', { name: tool.name, arguments: given })
  running.catch(() => {}) // It is awaited below.
  if (ui !== undefined) await ask('/app', { uri: ui }).then((app) => open(app, given, running), ({ message }) => problem(message))
  const result = await running
  if (result.isError) note('tool', 'fails', result.content?.[0]?.text)
  element('said').hidden = element('outcome').hidden = false
  element('said').open = ui === undefined
  element('said').querySelector('pre').textContent = (result.content ?? []).map((block) => block.text ?? JSON.stringify(block, null, 2)).join('\n')
  element('reach').hidden = view === undefined
}

// open shows an app, and sends it the tool's arguments and result once it is ready.
function open(app, given, running) {
  const domains = Object.values(app.csp ?? {}).flat().filter((entry) => typeof entry === 'string')
  const asked = Object.keys(app.permissions ?? {})
  element('reach').textContent = (domains.length === 0 ? 'This app runs under glass and reaches no other origin.' : `This app runs under glass and declares: ${domains.join(', ')}.`) +
    (asked.length === 0 ? '' : ` It may use: ${asked.join(', ')}.`)
  element('reach').hidden = element('outcome').hidden = false
  const shown = view = new View(element('stage'), proxy, app, host)
  shown.initialized.then(() => {
    shown.notify('ui/notifications/tool-input', { arguments: given })
    return running.then(
      (result) => shown.notify('ui/notifications/tool-result', result),
      ({ message }) => shown.notify('ui/notifications/tool-cancelled', { reason: message }),
    )
  })
}

async function start() {
  const { server, tools: listed, proxy: address } = await ask('/describe')
  proxy = address
  tools = listed
  element('server').textContent = `${server.title ?? server.name} ${server.version}`
  document.title = `${server.title ?? server.name} · MCP host`
  for (const entry of tools.filter(({ forModel }) => forModel)) {
    const button = document.createElement('button')
    button.dataset.name = entry.tool.name
    button.textContent = entry.tool.title ?? entry.tool.annotations?.title ?? entry.tool.name
    if (entry.ui !== undefined) button.appendChild(document.createElement('span')).textContent = 'app'
    button.addEventListener('click', () => choose(entry))
    element('tools').appendChild(document.createElement('li')).append(button)
  }
  const first = tools.find(({ forModel, ui }) => forModel && ui !== undefined) ?? tools.find(({ forModel }) => forModel)
  if (first === undefined) problem('This MCP server has no tools. Start the host with another server: mcp-host -- command')
  else choose(first)
}

element('call').addEventListener('submit', run)
// Ctrl+Enter runs the tool from the text box.
element('arguments').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element('call').requestSubmit()
})
const tell = (change) => view?.initialized.then(() => view?.notify('ui/notifications/host-context-changed', change()))
dark.addEventListener('change', () => tell(() => ({ theme: theme() })))
addEventListener('resize', () => tell(() => ({ containerDimensions: view.dimensions })))
start().catch(({ message }) => {
  element('server').textContent = ''
  problem(message)
})
