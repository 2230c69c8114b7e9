/** What people do before they are signed in. */
export { Invite } from './invite.tsx'
export { Login } from './login.tsx'
export { Reset } from './reset.tsx'
export { SignUp, Verify } from './sign-up.tsx'
