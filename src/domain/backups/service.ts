/** Backs up while the server runs. */
import { IN_MEMORY } from '../../db/database.ts'
import { dialect } from '../../db/dialect.ts'
import { env } from '../../env.ts'
import { Recorder } from './recorder.ts'

/** @returns what ships the last commits and ends. SQLite alone: PostgreSQL is dumped by a job */
export function startRecording(): () => Promise<void> {
  if (!env.BACKUP_URL || dialect !== 'sqlite' || env.DATABASE_URL === IN_MEMORY) return async () => {}
  const recorder = new Recorder(env.BACKUP_URL, env.DATABASE_URL.slice('file:'.length))
  return () => recorder.end()
}
