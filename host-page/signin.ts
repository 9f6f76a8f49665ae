// Signing in: the page asks for a token, and requests its data with it. The token is
// kept in this origin's storage, which no sandbox shares and no request sends. It lasts
// as long as the tab or, if the user asks for that, until they sign out.
import { element, fill } from './data'
import { dataPath, type Data } from './data.gen'
import { make } from './dom'

const key = 'bellglass-token'

// signIn returns once the page has its data.
export async function signIn(): Promise<void> {
  const given = fromAddress()
  let said = given !== '' ? await enter(given, false) : await enter(kept(), false)
  if (said === '') return
  const { form, token, stay, problem, button } = drawn()
  if (said === noToken) said = ''
  document.body.append(form)
  element('work').inert = true
  token.focus()
  await new Promise<void>((resolve) => {
    const show = (text: string): void => {
      problem.textContent = text
      problem.hidden = text === ''
    }
    show(said)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      button.disabled = true
      void enter(token.value.trim(), stay.checked).then((refusal) => {
        button.disabled = false
        if (refusal === '') return resolve()
        show(refusal === noToken ? 'Enter a token.' : refusal)
        token.select()
      })
    })
  })
  form.remove()
  element('work').inert = false
}

// fromAddress removes the token from the address, so that it stays in no history.
function fromAddress(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  if (token !== '') history.replaceState(null, '', location.pathname + location.search)
  return token
}

function kept(): string {
  return sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? ''
}

const noToken = 'no token'

// enter requests the page's data with a token. It returns why that failed, or ''.
async function enter(token: string, stay: boolean): Promise<string> {
  if (token === '') return noToken
  let answer: Response
  try {
    answer = await fetch(`${location.pathname.replace(/\/$/, '')}${dataPath}`, { headers: { Authorization: `Bearer ${token}` }, cache: 'no-store' })
  } catch {
    return 'The server does not answer. Check that it is running, and try again.'
  }
  if (!answer.ok) {
    if (answer.status === 401) forget()
    return answer.status === 401 ? 'This server does not accept that token.' : (await answer.text()).split('\n')[0] ?? ''
  }
  fill(await answer.json() as Data)
  ;(stay || localStorage.getItem(key) === token ? localStorage : sessionStorage).setItem(key, token)
  const out = element('sign-out')
  out.hidden = false
  out.addEventListener('click', () => {
    forget()
    location.reload()
  })
  return ''
}

function forget(): void {
  sessionStorage.removeItem(key)
  localStorage.removeItem(key)
}

interface SignInForm {
  readonly form: HTMLFormElement
  readonly token: HTMLInputElement
  readonly stay: HTMLInputElement
  readonly problem: HTMLElement
  readonly button: HTMLButtonElement
}

function drawn(): SignInForm {
  const token = make('input', { attributes: { 'id': 'token', 'type': 'password', 'autocomplete': 'current-password', 'spellcheck': 'false', 'data-testid': 'token' } })
  const stay = make('input', { attributes: { type: 'checkbox', id: 'stay' } })
  const problem = make('p', { class: 'problem', attributes: { 'role': 'alert', 'data-testid': 'sign-in-problem' } })
  const button = make('button', { class: 'button strong', attributes: { 'type': 'submit', 'data-testid': 'sign-in' } }, 'Sign in')
  const form = make('form', { class: 'sign-in', attributes: { 'aria-label': 'Sign in' } },
    make('div', {},
      make('h2', {}, 'Sign in'),
      make('p', { class: 'advice' }, 'Enter the token that the server printed when it started, or one set by its --token.'),
      make('label', { attributes: { for: 'token' } }, 'Token'),
      token,
      make('label', { class: 'stay' }, stay, ' Stay signed in on this device'),
      problem,
      button))
  return { form, token, stay, problem, button }
}
