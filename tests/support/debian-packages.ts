/** What the tests need from the machine, brought from Debian's packages where it is missing and we may. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const postgresHome = '/usr/lib/postgresql'

/** The folder of PostgreSQL's server programs: Debian keeps them off the PATH. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(postgresHome) ? readdirSync(postgresHome) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0]
  if (newest) return join(postgresHome, newest, 'bin')
  const initdb = Bun.which('initdb')
  return initdb ? dirname(initdb) : undefined
}

const chromiums = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The browser that the page tests drive. The shell without windows takes half of the CPU time. */
export const chromiumProgram = () => chromiums.map(name => Bun.which(name)).find(found => found !== null) ?? undefined

/** Redis, or Valkey, which has taken its place in later versions of Debian. */
export const redisProgram = () => Bun.which('redis-server') ?? Bun.which('valkey-server') ?? undefined

export const sentinelProgram = () => Bun.which('redis-sentinel') ?? Bun.which('valkey-sentinel') ?? undefined

const SBIN = `${process.env.PATH}:/usr/sbin`
const balancers = () => ['nginx', 'haproxy', 'caddy'].every(name => Bun.which(name, { PATH: SBIN }))

/** Debian keeps servers off the PATH of users. */
export const serverProgram = (name: string) => Bun.which(name, { PATH: SBIN }) ?? name

const needs = {
  postgres: { what: 'PostgreSQL', packages: ['postgresql'], found: postgresPrograms },
  redis: { what: 'Redis', packages: ['redis-server'], found: redisProgram },
  sentinel: { what: 'Redis Sentinel', packages: ['redis-sentinel'], found: sentinelProgram },
  balancers: { what: 'nginx, HAProxy and Caddy', packages: ['nginx-light', 'haproxy', 'caddy'], found: balancers },
  mariadb: { what: 'MariaDB', packages: ['mariadb-server'], found: () => Bun.which('mariadbd', { PATH: SBIN }) },
  pgbouncer: { what: 'PgBouncer', packages: ['pgbouncer'], found: () => Bun.which('pgbouncer', { PATH: SBIN }) },
  promtool: { what: 'promtool', packages: ['prometheus'], found: () => Bun.which('promtool') },
  chromium: { what: 'Chromium', packages: ['chromium-headless-shell', 'fonts-noto-cjk'], found: chromiumProgram },
}

/** @throws one clear line when something is missing and cannot be brought. */
export async function bringPackages(names: (keyof typeof needs)[]) {
  const missing = names.map(name => needs[name]).filter(need => !need.found())
  if (!missing.length) return

  const called = missing.map(need => need.what).join(' and ')
  const packages = missing.flatMap(need => need.packages)
  const sorry = `these tests need ${called}: install it, e.g. apt-get install ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) throw new Error(sorry)

  process.stdout.write(`bringing ${called}: apt-get install ${packages.join(' ')}\n`)
  await aptGet('update')
  await aptGet('install', '--yes', '--no-install-recommends', ...packages)
  if (missing.some(need => !need.found())) throw new Error(sorry)
}

async function aptGet(...args: string[]) {
  const run = Bun.spawn(['apt-get', '-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await run.exited) !== 0) throw new Error(`apt-get ${args[0]} failed`)
}
