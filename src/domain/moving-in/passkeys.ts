/** Passkeys of users of new-api. They belong to the host of the site: under another one they are made anew. */
import { inArray } from 'drizzle-orm'
import { run } from '../../db/atomic.ts'
import { db } from '../../db/database.ts'
import type { ForeignRow } from '../../db/foreign/foreign-database.ts'
import { now } from '../../process/clock.ts'
import { option } from '../options/index.ts'
import { passkeys } from '../two-factor/table.ts'
import { carryAll, type Entry } from './carry.ts'
import { countNote, type Move } from './move.ts'
import { isDeleted, list, moment, text, whole } from './row.ts'

interface PasskeyRow {
  /** Credential id in base64url. */
  credential: string
  user_id: number
  public_key: string
  counter: number
  transports: string[]
  created_time: number
}

const COLUMNS = ['user_id', 'credential_id', 'public_key', 'sign_count', 'transports', 'created_at', 'deleted_at']

export async function movePasskeys(move: Move) {
  const staysAtHost = await hasSameHost(move)
  await carryAll<PasskeyRow>(move, {
    noun: 'passkey',
    batches: move.from.read('passkey_credentials', COLUMNS),
    async read(rows) {
      const living = rows.filter(row => !isDeleted(row))
      const entries = staysAtHost ? await withoutKnown(living.flatMap(row => entryOf(move, row) ?? [])) : []
      countNote(move, 'moving.passkey', living.length - entries.length)
      return entries
    },
    *write(tx, entries) {
      const rows = entries.map(({ row: { credential, id: _, ...row } }) => ({
        ...{ id: credential, name: move.product, ...row },
      }))
      yield* run(tx.insert(passkeys).values(rows))
      return rows.map(({ user_id }) => user_id)
    },
  })
}

/** Its address holds here where none was chosen. A host of passkeys that differs from that of the address is another one. */
async function hasSameHost({ from }: Move): Promise<boolean> {
  const rows = await from.readAll('options', ['key', 'value'])
  const theirs = (name: string) => text(rows.find(({ key }) => text(key) === name)?.value)
  const host = hostOf(theirs('ServerAddress'))
  const ours = option('ServerAddress')
  return host !== '' && (!ours || hostOf(ours) === host) && [host, ''].includes(theirs('passkey.rp_id').toLowerCase())
}

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? ''

function entryOf(move: Move, row: ForeignRow): Entry<PasskeyRow> | undefined {
  const owner = whole(row.user_id)
  const user_id = move.ids.user.get(owner)
  const [credential, public_key] = [base64url(text(row.credential_id)), base64url(text(row.public_key))]
  if (user_id === undefined || move.deletedUsers.has(owner) || !credential || !public_key) return
  return {
    source_id: whole(row.id),
    row: {
      ...{ credential, user_id, public_key, counter: Math.max(0, whole(row.sign_count)) },
      transports: list(row.transports).filter(transport => typeof transport === 'string'),
      created_time: moment(row.created_at) || now(),
    },
  }
}

const base64url = (base64: string) => Buffer.from(base64, 'base64').toString('base64url')

/** A passkey has one user: what was added here stays. */
async function withoutKnown(entries: Entry<PasskeyRow>[]): Promise<Entry<PasskeyRow>[]> {
  const ids = entries.map(({ row }) => row.credential)
  const { id } = passkeys
  const found = ids.length ? await db.select({ id }).from(passkeys).where(inArray(id, ids)) : []
  const known = new Set(found.map(row => row.id))
  return entries.filter(({ row }) => !known.has(row.credential) && known.add(row.credential))
}
