/** People of a real server behind a proxy: each comes from an address of their own, with an account and a key. */

export const PASSWORD = 'correct horse'

export interface Resident {
  url: string
  username: string
  address: string
  /** Of the browser in which they have signed in before. */
  cookies: Map<string, string>
  key: string
}

/** Registers, signs in and makes a key. @throws Error when any of it is refused */
export async function settleIn(url: string, username: string, address: string): Promise<Resident> {
  const resident: Resident = { url, username, address, cookies: new Map(), key: '' }
  const body = { username, password: PASSWORD, password2: PASSWORD }
  await succeed(await send(resident, '/api/user/register', body))
  const id = await signIn(resident)
  const headers = { 'tollgate-user': String(id) }
  const { key } = await succeed(await send(resident, '/api/token/', { name: 'key', unlimited_quota: true }, headers))
  return { ...resident, key }
}

/** Signs in with the right password, in the browser of before. @returns the id of the user */
export async function signIn(resident: Resident): Promise<number> {
  const { username } = resident
  const { id } = await succeed(await send(resident, '/api/user/login', { username, password: PASSWORD }))
  return id
}

async function send(resident: Resident, path: string, body: object, headers: Record<string, string> = {}) {
  const cookie = [...resident.cookies].map(pair => pair.join('=')).join('; ')
  const response = await fetch(resident.url + path, {
    method: 'POST',
    headers: { 'x-forwarded-for': resident.address, 'content-type': 'application/json', cookie, ...headers },
    body: JSON.stringify(body),
  })
  for (const set of response.headers.getSetCookie()) {
    const [name = '', value = ''] = set.split(';')[0]!.split(/=(.*)/s)
    resident.cookies.set(name, value)
  }
  return response
}

async function succeed(response: Response) {
  const text = await response.text()
  const { success, data } = text.startsWith('{') ? JSON.parse(text) : { success: false, data: undefined }
  if (!success) throw new Error(`${new URL(response.url).pathname}: ${response.status} ${text.slice(0, 200)}`)
  return data
}
