// The entry. A server that other machines can reach gives its data only to holders of a
// token, so the page asks for that first.
import { data } from './data'
import { signIn } from './signin'

if (data.signIn === true) void signIn().then(() => import('./host'))
else void import('./host')
