/**
 * A dump: lines of JSON, compressed by zstd. First the manifest; for each table its rows as arrays and then its count and
 * SHA-256; at the end a SHA-256 of all lines before.
 */
import { sign } from '../../crypto/sealing.ts'
import { hasSecretFile } from '../../crypto/secret-file.ts'
import { env } from '../../env.ts'
import { StartupError } from '../../process/shutdown.ts'
import type { DumpTable, Sequences } from './place.ts'

export const DUMP_FORMAT = 1

export interface Manifest {
  tollgate_dump: typeof DUMP_FORMAT
  /** Version of the program that wrote it. */
  version: string
  /** The last migration of the database. */
  migration: string
  engine: 'sqlite' | 'postgres'
  created_time: number
  /** By which a wrong secret key is recognised; empty when the installation had none. */
  key_mark: string
  sequences: Sequences
  tables: (DumpTable & { rows: number })[]
}

export interface TableEnd {
  table: string
  rows: number
  sha256: string
}

export interface DumpEnd {
  end: true
  sha256: string
}

/** The dump cannot be restored; the message is one line for the operator. */
export class UnusableDump extends StartupError {}

/** Without a secret nothing has been sealed, and none is made here. */
const hasSecret = () => Boolean(env.SECRET_KEY) || hasSecretFile()
export const keyMark = () => (hasSecret() ? sign('dump', 'the key of a dump') : '')

/** @throws UnusableDump when what is sealed in the dump could not be opened here */
export function checkKeyMark({ key_mark }: Pick<Manifest, 'key_mark'>) {
  if (key_mark && key_mark !== keyMark())
    throw new UnusableDump(
      'this backup was made under another secret key; set SECRET_KEY, or put its secret.key in DATA_DIR',
    )
}

export const hashOfLines = () => new Bun.CryptoHasher('sha256')
