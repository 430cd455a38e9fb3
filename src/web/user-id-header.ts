/** The header that names the signed-in user: proof that a request with a cookie was made by our own pages, not by a foreign form. */

/** Ours, and those of the family's clients. */
const USER_ID_HEADERS = ['tollgate-user', 'new-api-user', 'veloera-user']

/** Whether the request names this user. */
export function namesUser({ headers }: Request, id: number): boolean {
  const named_id = USER_ID_HEADERS.map(name => headers.get(name)).find(value => value !== null)
  return named_id === String(id)
}
