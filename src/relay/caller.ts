/** Who calls: an API key with its user, or a session of the console. */
import type { TokenRow } from '../domain/tokens/index.ts'
import type { User } from '../domain/users/index.ts'

export interface ApiCaller {
  /** The playground's has no limits and is never charged. */
  token: TokenRow
  /** Absent for an API key. */
  session?: CallerSession
  user: User
  /** Decides channels and price: the token's group, else the user's; of several groups the one that is tried. */
  group: string
  /** The only channel that this call may use; administrators append it to their key. */
  channel_id: number | undefined
  /** IP address of the client. */
  address: string
}

/** The session of the console that the playground calls with. */
export interface CallerSession {
  /** Unix seconds. */
  expires_time: number
  /** The user as they are now; undefined once the session has ended. */
  findUser(): Promise<User | undefined>
}
