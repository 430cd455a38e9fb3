/** GitHub on a private port for a test file, and the way of its users to us. */
import { afterAll, beforeEach } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '../../../src/db/database.ts'
import { users } from '../../../src/domain/users/table.ts'
import { setUp } from '../people/person.ts'
import { startGitHub } from './code-site.ts'
import { LoginBrowser } from './login-browser.ts'
import { configureGitHub } from './options.ts'

await setUp()
export const github = startGitHub()
afterAll(() => github.stop())

beforeEach(async () => {
  await configureGitHub(github)
  github.mood = undefined
  github.seen.length = 0
})

let lastId = 583_231
export const newUser = (fields: object = {}) => ({ id: ++lastId, login: 'octocat', name: 'The Octocat', ...fields })

/** The user here who has this GitHub id. */
export const userBy = async (github_id: number) =>
  (
    await db
      .select()
      .from(users)
      .where(eq(users.github_id, String(github_id)))
  )[0]

/** The whole way, from the sign-in page's link to the callback. */
export async function signInAt(user: Record<string, unknown>, browser = new LoginBrowser(), returnTo?: string) {
  const response = await browser.return(github.agree(await browser.start('github', returnTo), user))
  return { browser, response }
}

/** An API client asks for a state and goes to GitHub by itself, without PKCE. */
export async function authorizationByApi(browser: LoginBrowser, query = ''): Promise<string> {
  const answer = await browser.fetch(`/api/oauth/state?${query}`)
  const { data: state } = (await answer.json()) as { data: string }
  const redirect_uri = 'http://localhost/oauth/github'
  const parameters = { client_id: 'client-of-tollgate', response_type: 'code', state, redirect_uri }
  return `${github.url}/login/oauth/authorize?${new URLSearchParams(parameters)}`
}
