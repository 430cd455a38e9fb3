/** Addresses of the security page. */
import { SECURITY_PATH } from '../../src/contracts/security-paths.ts'

/** What is open over the page. */
export type SecurityOverlay = { setup: '' } | { passkey: '' } | { rename: string } | { remove: string } | { codes: '' }

export const securityAt = (overlay?: SecurityOverlay) =>
  overlay ? `${SECURITY_PATH}?${new URLSearchParams(overlay as Record<string, string>)}` : SECURITY_PATH

/** `?remove=app` is the authenticator app; other values are ids of passkeys. */
export const APP = 'app'

export const securityAction = (path: string) => `${SECURITY_PATH}/${path}`
