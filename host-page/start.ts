// Where the page begins. A server that other machines reach gives its data to holders of a
// token alone; the page asks for that first.
import { data } from './data'
import { signIn } from './signin'

if (data.signIn === true) void signIn().then(() => import('./host'))
else void import('./host')
