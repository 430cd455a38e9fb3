/** `tollgate move --to ADDRESS`: copies the database into an empty one of either engine, and compares both. */
import { existsSync } from 'node:fs'
import { hasRunningNodes, keepNodesFrom } from '../cluster/running-nodes.ts'
import { checkSource, copyRows, prepareTarget } from '../db/dump/copy.ts'
import { moneyIn } from '../db/dump/figures.ts'
import { identityOf, isPostgres, openPlace, pathIn } from '../db/dump/open-place.ts'
import type { Place } from '../db/dump/place.ts'
import { hasTable, markFinished, markUnfinished, unfinishedMove } from '../db/dump/schema.ts'
import { lockDataFolder } from '../db/lock.ts'
import { env, environment } from '../env.ts'
import { ownProgram } from '../process/reexec.ts'
import { StartupError } from '../process/shutdown.ts'

const isAddress = (text: string) => /^(file:|postgres(ql)?:\/\/)./.test(text) && URL.canParse(text)

/** A run that breaks off is continued by the next one. @throws StartupError; the source is only read */
export async function move([to, address, ...more]: string[]): Promise<number> {
  if (to !== '--to' || !address || !isAddress(address) || more.length)
    throw new StartupError('usage: tollgate move --to postgres://… (or --to file:/path/tollgate.db)')
  if (identityOf(address) === identityOf(env.DATABASE_URL))
    throw new StartupError('this is the database that is in use already')
  lockDataFolder()
  const opened: Place[] = []
  const open = async (...of: Parameters<typeof openPlace>) => {
    const place = await openPlace(...of)
    opened.push(place)
    return place
  }
  try {
    if (isPostgres(env.DATABASE_URL)) await keepNodes(await open(env.DATABASE_URL, 'write'))
    const source = await open(env.DATABASE_URL, 'read')
    await checkSource(source)
    await checkFile(address)
    const target = await open(address, 'write')
    await moveInto(source, target, async () => {
      if (isPostgres(address)) await keepNodes(await open(address, 'write'))
    })
    return await compareAudits(source, target, address)
  } catch (error) {
    throw error instanceof StartupError ? error : new StartupError(`the move stopped: ${(error as Error).message}`)
  } finally {
    await Promise.all(opened.map(place => place.close()))
  }
}

/** A file that exists is filled only when a move has begun it. */
async function checkFile(address: string) {
  if (isPostgres(address) || !existsSync(pathIn(address))) return
  const place = await openPlace(address, 'read')
  const isBegun = await unfinishedMove(place).finally(() => place.close())
  if (isBegun === undefined) throw new StartupError(`${pathIn(address)} exists already; a move makes a new file`)
}

/** @param place a connection that is used for nothing else: its transaction lasts until the end of the move */
async function keepNodes(place: Place) {
  await place.query('begin')
  if (await keepNodesFrom(place)) throw inUse(place)
}

const inUse = ({ name }: Place) =>
  new StartupError(`a Tollgate is running on ${name}; stop it first (one that crashed counts for a minute)`)

async function moveInto(source: Place, target: Place, lock: () => Promise<void>) {
  if (target.engine === 'postgres' && (await hasTable(target, 'nodes')) && (await hasRunningNodes(target)))
    throw inUse(target)
  const figures = await prepareTarget(source, target)
  await lock()
  await copyRows(source, target, figures, (table, rows) => {
    if (rows) process.stdout.write(`${table}: ${rows} rows\n`)
  })
  const replaced = target.replaced()
  if (replaced) process.stdout.write(`${replaced} NUL characters, which PostgreSQL cannot store, became \ufffd\n`)
  process.stdout.write(`counts and sums are equal: ${moneyIn(figures)}\n`)
}

/** In processes of their own: each is on one engine. */
async function compareAudits(source: Place, target: Place, address: string): Promise<number> {
  const before = await auditOf(env.DATABASE_URL)
  await markFinished(target)
  const after = await auditOf(address)
  if (before !== after) {
    await markUnfinished(target, 'whose audit differs')
    throw new StartupError(`the audits differ: ${source.name}: ${before}; ${target.name}: ${after}`)
  }
  process.stdout.write(`${after}\n`)
  process.stdout.write(
    `moved to ${target.name}; set DATABASE_URL to it. The old database ${source.name} is unchanged: delete it when you no longer need it\n`,
  )
  return 0
}

async function auditOf(address: string): Promise<string> {
  const child = Bun.spawn([...ownProgram(), 'audit'], {
    env: { ...environment(), DATABASE_URL: address },
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return out.trim() || err.trim()
}
