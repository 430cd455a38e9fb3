/** An npm registry in the hands of an attacker: it serves what it is given, each package with the hash of its own bytes. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface Release {
  version: string
  /** Text of each file, by path. */
  files?: Record<string, string>
  scripts?: Record<string, string>
  published?: Date
}

export interface Registry {
  url: string
  /** Paths that were asked for. */
  asked: string[]
  publish(name: string, release: Release): Promise<void>
  stop(): Promise<void>
}

const LONG_AGO = new Date('2025-01-01')

export function startRegistry(): Registry {
  const releases = new Map<string, Release & { tarball: Uint8Array<ArrayBuffer> }>()
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request): Response {
      const path = decodeURIComponent(new URL(request.url).pathname.slice(1))
      asked.push(path)
      const [name, isTarball] = [path.replace(/\.tgz$/, ''), path.endsWith('.tgz')]
      const release = releases.get(name)
      if (!release) return new Response('{}', { status: 404 })
      return isTarball ? new Response(release.tarball) : Response.json(manifestOf(name, release, server.url.href))
    },
  })
  return {
    url: server.url.href,
    asked,
    publish: async (name, release) => void releases.set(name, { ...release, tarball: await pack(name, release) }),
    stop: () => server.stop(true),
  }
}

function manifestOf(name: string, release: Release & { tarball: Uint8Array<ArrayBuffer> }, url: string) {
  const { version, scripts, published = LONG_AGO, tarball } = release
  const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(tarball).digest('base64')}`
  const dist = { tarball: `${url}${name}.tgz`, integrity }
  return {
    name,
    'dist-tags': { latest: version },
    time: { created: published.toISOString(), [version]: published.toISOString() },
    versions: { [version]: { name, version, scripts, hasInstallScript: Boolean(scripts), dist } },
  }
}

async function pack(name: string, { version, files = {}, scripts }: Release): Promise<Uint8Array<ArrayBuffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-'))
  const contents = { ...files, 'package.json': JSON.stringify({ name, version, scripts }) }
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, 'package', path)), { recursive: true })
    await Bun.write(join(folder, 'package', path), text, { mode: 0o755 })
  }
  const tar = Bun.spawn(['tar', '-czf', '-', '-C', folder, 'package'], { stdout: 'pipe' })
  return new Response(tar.stdout).bytes()
}
