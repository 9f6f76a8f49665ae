// shows button :: Sign up
// do document.querySelector('form').requestSubmit()
// shows [role=alert] :: Enter a valid email
// do const set = (input, value) => { Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, value); input.dispatchEvent(new Event('input', { bubbles: true })) }; set(document.querySelector('[name=email]'), 'a@example.com'); set(document.querySelector('[name=age]'), '30'); document.querySelector('form').requestSubmit()
// shows output :: {"email":"a@example.com","age":30}
import { useState, type FormEvent } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'

const schema = z.object({
  email: z.string().email('Enter a valid email'),
  age: z.coerce.number().int().min(18, 'You must be 18 or older'),
})

type Values = z.infer<typeof schema>

function SignUp() {
  const [values, setValues] = useState({ email: '', age: '18' })
  const [errors, setErrors] = useState<Partial<Record<keyof Values, string>>>({})
  const [sent, setSent] = useState<Values | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const result = schema.safeParse(values)
    if (result.success) {
      setErrors({})
      setSent(result.data)
      return
    }
    setErrors(Object.fromEntries(result.error.issues.map((issue) => [issue.path[0], issue.message])))
  }
  return (
    <form onSubmit={submit} noValidate>
      {(['email', 'age'] as const).map((name) => (
        <p key={name}>
          <label>{name} <input name={name} value={values[name]} onChange={(e) => setValues({ ...values, [name]: e.target.value })} /></label>
          {errors[name] && <span role="alert">{errors[name]}</span>}
        </p>
      ))}
      <button>Sign up</button>
      <output>{sent && JSON.stringify(sent)}</output>
    </form>
  )
}

createRoot(document.getElementById('root')!).render(<SignUp />)
