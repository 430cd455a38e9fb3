/** Users who came with GitHub's login name: the name alone may have changed hands, with the address it is theirs. */
import { and, eq } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { db, type Tx } from '../../db/database.ts'
import { type User, users } from '../users/index.ts'
import type { LoginIdentity } from './provider.ts'
import { githubNames } from './table.ts'

/** The user whose name and address the identity has, and who is not bound; also one who is deleted or banned. */
export async function userByGitHubName({ login, email }: LoginIdentity): Promise<User | undefined> {
  if (!login || !email) return undefined
  const [found] = await db
    .select({ user: users })
    .from(githubNames)
    .innerJoin(users, eq(users.id, githubNames.user_id))
    .where(and(eq(githubNames.name, login.toLowerCase()), eq(users.email, email), eq(users.github_id, '')))
  return found?.user
}

/** Once the user is bound, or wants to be bound no more. */
export function* forgetGitHubName(tx: Tx, user_id: number) {
  yield* run(tx.delete(githubNames).where(eq(githubNames.user_id, user_id)))
}
