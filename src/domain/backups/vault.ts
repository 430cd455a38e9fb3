/** Objects of a backup: compressed, encrypted where a passphrase is set, and recognised when they were cut, altered or exchanged. */
import { decrypt, encrypt, keyFrom, newSalt } from '../../crypto/passphrase.ts'
import { env } from '../../env.ts'
import { StartupError } from '../../process/shutdown.ts'
import type { BackupStore } from './store.ts'

/** The backup cannot be used; the message is one line for the operator. */
export class UnusableBackup extends StartupError {}

export interface Vault {
  store: BackupStore
  /** @returns what is stored: compressed and encrypted */
  write(name: string, bytes: Uint8Array): Promise<Uint8Array>
  /** @throws UnusableBackup for what is missing, cut or altered */
  read(name: string): Promise<Uint8Array>
  /** What is stored under a name. @throws UnusableBackup when it is missing */
  stored(name: string): Promise<Uint8Array>
  /** @throws UnusableBackup for what is cut, altered or of another name */
  open(name: string, stored: Uint8Array): Promise<Uint8Array>
}

interface VaultHead {
  tollgate_backup: number
  /** Absent without encryption. */
  salt?: string
  /** A known text under the key, by which another passphrase is recognised. */
  check?: string
}

const HEAD = 'tollgate.json'
const FORMAT = 1
const CHECK = 'the passphrase of a backup'
const ZSTD_LEVEL = 1
const SUM_BYTES = 32

/** @param make begins a backup where there is none. @throws UnusableBackup */
export async function openVault(store: BackupStore, make: 'make' | 'find'): Promise<Vault> {
  const head = (await headIn(store)) ?? (make === 'make' ? await newHead(store) : undefined)
  if (!head) throw new UnusableBackup(`there is no backup in ${store.name}`)
  const key = await keyOf(store, head)
  const stored = async (name: string) => {
    const bytes = await store.get(name)
    if (!bytes) throw new UnusableBackup(`the backup in ${store.name} is damaged: ${name} is missing`)
    return bytes
  }
  const open = async (name: string, bytes: Uint8Array) => {
    const packed = key ? decrypt(key, name, bytes) : checked(name, bytes)
    if (!packed) throw altered(store, name)
    return Bun.zstdDecompress(packed)
  }
  return {
    ...{ store, stored, open },
    async write(name, bytes) {
      const packed = await Bun.zstdCompress(bytes, { level: ZSTD_LEVEL })
      const sealed = key ? encrypt(key, name, packed) : Buffer.concat([sumOf(name, packed), packed])
      await store.put(name, sealed)
      return sealed
    },
    read: async name => open(name, await stored(name)),
  }
}

export const altered = (store: BackupStore, name: string) =>
  new UnusableBackup(`the backup in ${store.name} is damaged: ${name} is cut or altered`)

async function headIn(store: BackupStore): Promise<VaultHead | undefined> {
  const bytes = await store.get(HEAD)
  if (!bytes) return undefined
  const head = parsed(bytes)
  if (!Number.isInteger(head?.tollgate_backup)) throw altered(store, HEAD)
  if (head!.tollgate_backup > FORMAT)
    throw new UnusableBackup(`the backup in ${store.name} is newer than this program; use a newer Tollgate`)
  return head
}

function parsed(bytes: Uint8Array): VaultHead | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

async function newHead(store: BackupStore): Promise<VaultHead> {
  const head: VaultHead = { tollgate_backup: FORMAT }
  if (env.BACKUP_PASSPHRASE) {
    head.salt = newSalt()
    head.check = encrypt(await keyFrom(env.BACKUP_PASSPHRASE, head.salt), HEAD, Buffer.from(CHECK)).toString('base64')
  }
  await store.put(HEAD, Buffer.from(JSON.stringify(head)))
  return head
}

async function keyOf(store: BackupStore, { salt, check }: VaultHead): Promise<Buffer | undefined> {
  const passphrase = env.BACKUP_PASSPHRASE
  if (salt === undefined) {
    if (passphrase)
      throw new UnusableBackup(
        `the backup in ${store.name} is not encrypted; unset BACKUP_PASSPHRASE or choose another BACKUP_URL`,
      )
    return undefined
  }
  if (!passphrase)
    throw new UnusableBackup(
      `the backup in ${store.name} is encrypted; set BACKUP_PASSPHRASE (without it the backup is lost)`,
    )
  const key = await keyFrom(passphrase, salt)
  if (decrypt(key, HEAD, Buffer.from(check ?? '', 'base64'))?.toString() !== CHECK)
    throw new UnusableBackup(`BACKUP_PASSPHRASE is not the one of the backup in ${store.name}`)
  return key
}

const sumOf = (name: string, packed: Uint8Array) =>
  new Bun.CryptoHasher('sha256').update(`${name}\0`).update(packed).digest()

function checked(name: string, bytes: Uint8Array): Uint8Array | undefined {
  const packed = bytes.subarray(SUM_BYTES)
  return sumOf(name, packed).equals(bytes.subarray(0, SUM_BYTES)) ? packed : undefined
}
