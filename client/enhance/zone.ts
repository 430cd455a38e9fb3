/** Sets the time zone cookie and reloads once when the page already shows times. */
const YEAR_S = 31_536_000

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const isSet = document.cookie.includes(`zone=${encodeURIComponent(timeZone)}`)

if (!isSet && timeZone) {
  // biome-ignore lint/suspicious/noDocumentCookie: the other way is not everywhere yet
  document.cookie = `zone=${encodeURIComponent(timeZone)}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`
  if (document.querySelector('#main time') && document.cookie.includes('zone=')) location.reload()
}
