/** The check of a channel's base URL that the form and its island share. */

/** Whether the URL ends in `/v1`, which the gateway adds itself. */
export const endsInVersion = (url: string): boolean => /\/v1\/*$/.test(url)
