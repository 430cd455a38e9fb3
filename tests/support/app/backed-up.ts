/** Installations that are backed up while they run, and what their backups restore. */

import { expect } from 'bun:test'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupFacts, DIAGNOSTICS_PATH, type Diagnostics } from '../../../src/contracts/diagnostics.ts'
import { until } from '../until.ts'
import { type Installation, newInstallation, signInAt } from './installation.ts'
import { newFolder, type Server } from './server.ts'

const PASSPHRASE = 'correct horse battery'
const METRICS_TOKEN = 'metrics-of-backups'

export interface BackedUp {
  place: Installation
  backup: string
  settings: Record<string, string>
}

export async function newBackedUp(more: Record<string, string> = {}): Promise<BackedUp> {
  const backup = newFolder()
  return {
    place: await newInstallation(),
    backup,
    settings: { BACKUP_URL: backup, BACKUP_PASSPHRASE: PASSPHRASE, METRICS_TOKEN, ...more },
  }
}

/** Runs a command on an empty folder with the key of the installation. */
export async function emptyWithKey(
  { place, settings }: BackedUp,
  env: Record<string, string> = {},
): Promise<Installation> {
  const empty = await newInstallation()
  copyFileSync(join(place.folder, 'secret.key'), join(empty.folder, 'secret.key'))
  return { ...empty, env: { ...settings, ...env } }
}

/** Past what was committed before. */
export async function shipped(server: Server) {
  const begin = Date.now()
  await until(async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    const age = /^tollgate_backup_age_seconds (\S+)$/m.exec(await response.text())?.[1]
    return age !== undefined && Date.now() - Number(age) * 1000 > begin + 50
  })
}

export const noteOf = (at: number) =>
  `insert into log_filters (user_id, name, query, created_time) values (1, 'f${at}', '', ${at})`
export const notesOf = async (place: Installation) =>
  ((await place.read('select created_time as at from log_filters order by id')) as { at: number }[]).map(({ at }) => at)
export const utc = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

export const objectsIn = (backup: string, kind: string) =>
  readdirSync(backup, { recursive: true, encoding: 'utf8' })
    .filter(name => name.includes(`/${kind}-`))
    .sort()
export const segmentsIn = (backup: string) => objectsIn(backup, 'segment')

/** What the support bundle says of a gap. */
export async function bundledGap(server: Server): Promise<BackupFacts['gap']> {
  const { headers } = await signInAt(server)
  const bundle = await fetch(`${server.url}${DIAGNOSTICS_PATH}/bundle.json`, { headers })
  return ((await bundle.json()) as { diagnostics: Diagnostics }).diagnostics.backup!.gap
}

/** The gap in the support bundle. The diagnostics page is checked to show the same. */
export async function gapAt(server: Server): Promise<BackupFacts['gap']> {
  const { headers } = await signInAt(server)
  const inEnglish = { ...headers, 'accept-language': 'en' }
  const page = await (await fetch(server.url + DIAGNOSTICS_PATH, { headers: inEnglish })).text()
  const gap = await bundledGap(server)
  expect(page.includes('<dt>Gap</dt>')).toBe(gap !== undefined)
  expect(page.includes('goes on')).toBe(gap !== undefined && gap.to === undefined)
  return gap
}
