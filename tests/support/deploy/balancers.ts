/** The balancers of docs/deploy with their own files, in which addresses, ports and certificates are replaced. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverProgram } from '../debian-packages.ts'
import type { Certificate } from '../mail/certificate.ts'
import { until } from '../until.ts'
import { freePort } from './rolled-nodes.ts'

/** After it new requests come to new processes of nginx. */
const RELOAD_MS = 1000

export type BalancerName = 'nginx' | 'haproxy' | 'caddy'

/** @returns its address, and what ends it */
export async function startBalancer(name: BalancerName, ports: number[], certificate: Certificate) {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const port = await freePort()
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text, { mode: 0o644 })
    return join(folder, file)
  }
  const cert = write('cert.pem', certificate.cert)
  const key = write('key.pem', certificate.key)
  const both = write('both.pem', certificate.cert + certificate.key)
  const nodes = (text: string) =>
    text.replace('10.0.0.11:3000', `127.0.0.1:${ports[0]}`).replace('10.0.0.12:3000', `127.0.0.1:${ports[1]}`)
  const file = (path: string) => nodes(readFileSync(join('docs/deploy/balancers', path), 'utf8'))

  const commands: Record<BalancerName, () => string[]> = {
    nginx() {
      const site = file('nginx.conf')
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('/etc/ssl/tollgate.pem', cert)
        .replace('/etc/ssl/tollgate.key', key)
      const main = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; include ${write('site.conf', site)}; }`
      return [serverProgram('nginx'), '-p', folder, '-c', write('nginx.conf', main)]
    },
    haproxy() {
      const text = file('haproxy.cfg')
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        // It asks for as many descriptors, which a test may not have.
        .replace('maxconn 20000', 'maxconn 2000')
        .replace('/etc/haproxy/tollgate.pem', both)
      return [serverProgram('haproxy'), '-f', write('haproxy.cfg', text)]
    },
    caddy() {
      const site = file('Caddyfile').replace('ai.example.com {', `https://localhost:${port} {\n\ttls ${cert} ${key}`)
      const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n`
      return [serverProgram('caddy'), 'run', '--adapter', 'caddyfile', '--config', write('Caddyfile', options + site)]
    },
  }
  const child = Bun.spawn(commands[name](), {
    ...{ stdout: Bun.file(join(folder, 'out')), stderr: Bun.file(join(folder, 'log')) },
    env: { ...process.env, HOME: folder },
  })
  const url = `https://localhost:${port}`
  const answers = () =>
    fetch(`${url}/healthz`, { tls: { ca: certificate.ca } }).then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(answers, `${name} answers`)
  /** nginx reads its file again; the others ask the node. */
  const tellNginx = async (change: (site: string) => string) => {
    if (name !== 'nginx') return
    const site = readFileSync(join(folder, 'site.conf'), 'utf8')
    write('site.conf', change(site))
    child.kill('SIGHUP')
    await Bun.sleep(RELOAD_MS)
  }
  const lineOf = (port: number) => `127.0.0.1:${port} `
  return {
    url,
    /** Before the restart of a node, where the balancer cannot see it coming. */
    takeOut: (port: number) => tellNginx(site => site.replace(lineOf(port), `${lineOf(port)}down `)),
    bringBack: (port: number) => tellNginx(site => site.replace(`${lineOf(port)}down `, lineOf(port))),
    log: () => readFileSync(join(folder, 'log'), 'utf8') + readFileSync(join(folder, 'out'), 'utf8'),
    async stop() {
      child.kill()
      await child.exited
    },
  }
}
