/** Addresses of the pages of sign-in and security, apart from the contracts: browsers get them without the validator. */

/** The page after a sign-in that names no `returnTo`. */
export const LANDING_PATH = '/app/tokens'
/** The page of devices and second factors. */
export const SECURITY_PATH = '/app/me/security'
/** The page that asks for the password again. */
export const CONFIRM_PATH = '/app/me/confirm'
/** The link that makes a browser known. */
export const SIGN_IN_LINK_PATH = '/login/link'
/** The second step of a sign-in. */
export const SECOND_FACTOR_PATH = '/login/second-factor'
