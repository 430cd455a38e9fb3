/** Addresses of foreign databases: URLs, the DSN text of Go programs, and paths of SQLite files. */
import { UnusableDatabase } from '../database.ts'

export interface ServerAddress {
  engine: 'mysql' | 'postgres'
  /** Without a password. */
  name: string
  hostname?: string
  port?: number
  /** Of a Unix socket. */
  path?: string
  username: string
  password: string
  database: string
}

const PORTS = { mysql: 3306, postgres: 5432 } as const

/** `user:password@tcp(host:port)/database?parameters`: the password may hold any of these characters. */
const GO_DSN = /^(?<login>.*)@(?<net>tcp|unix)\((?<place>[^)]*)\)\/(?<database>[^?]*)/s

/** @returns the path of a SQLite file as a text. @throws UnusableDatabase for what is neither */
export function foreignAddress(text: string): string | ServerAddress {
  if (/^(mysql|mariadb):\/\//.test(text)) return fromUrl('mysql', text)
  if (/^postgres(ql)?:\/\//.test(text)) return fromUrl('postgres', text)
  const dsn = GO_DSN.exec(text)?.groups
  if (dsn) return fromDsn(dsn as Record<'login' | 'net' | 'place' | 'database', string>)
  if (/^(clickhouse|tcp|https?):\/\//.test(text))
    throw new UnusableDatabase('ClickHouse holds logs only, and cannot be read: export them to SQLite first')
  return text.replace(/^(file|sqlite):(\/\/)?/, '').replace(/\?.*$/s, '')
}

function fromUrl(engine: ServerAddress['engine'], text: string): ServerAddress {
  const url = URL.parse(text)
  const database = url && decodeURIComponent(url.pathname.slice(1))
  if (!url?.hostname || !database) throw new UnusableDatabase(`the address names no host or no database`)
  const { hostname } = url
  const port = Number(url.port) || PORTS[engine]
  return {
    ...{ engine, name: `${engine}://${hostname}:${port}/${database}`, hostname, port, database },
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

function fromDsn({ login, net, place, database }: Record<'login' | 'net' | 'place' | 'database', string>) {
  const [username = '', ...rest] = login.split(':')
  const common = { engine: 'mysql', username, password: rest.join(':'), database } as const
  if (net === 'unix') return { ...common, name: `mysql:${place}/${database}`, path: place }
  const [hostname = 'localhost', port = PORTS.mysql] = place.split(/:(?=\d+$)/)
  return { ...common, name: `mysql://${hostname}:${port}/${database}`, hostname, port: Number(port) }
}
