// @engine sqlite
/** Files of docs/deploy, read by the programs that they are for, or against the schemas that are published for them. */
import { beforeAll, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pythonPrograms } from '../support/clients/python.ts'
import { bringPackages, serverProgram } from '../support/debian-packages.ts'
import { kubernetesObjects } from '../support/deploy/kubernetes.ts'
import { newCertificate } from '../support/mail/certificate.ts'

const deploy = 'docs/deploy'
const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
const BRING_MS = 300_000

let python: string
beforeAll(async () => {
  await bringPackages(['balancers'])
  python = await pythonPrograms('kubernetes-validate', 'compose-spec')
}, BRING_MS)

/** @returns exit code and all that a program prints */
async function ran(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', env: { ...process.env, HOME: folder, ...env } })
  const texts = await Promise.all([child.stdout, child.stderr].map(stream => new Response(stream).text()))
  return { code: await child.exited, text: texts.join('') }
}

const written = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const kustomizations = ['base', 'migrate', 'overlays/sqlite']
/** The oldest and the newest for which the schemas have all that is used. */
const VERSIONS = ['1.29', '1.37']

test.each(kustomizations)('each object of kubernetes/%s is valid by the schemas of Kubernetes', async name => {
  const objects = await kubernetesObjects(name)
  const files = objects.map((object, index) =>
    written(`${name.replace('/', '-')}-${index}.json`, JSON.stringify(object)),
  )
  for (const version of VERSIONS) {
    const { code, text } = await ran([join(python, 'kubernetes-validate'), '--strict', '-k', version, ...files])
    expect([version, code, text]).toEqual([version, 0, expect.not.stringContaining('ERROR')])
  }
})

test('the schemas of Kubernetes find a field that there is not', async () => {
  const [deployment] = (await kubernetesObjects('base')).filter(({ kind }) => kind === 'Deployment')
  deployment!.spec.template.spec.containers[0].readinesProbe = {}
  const file = written('wrong.json', JSON.stringify(deployment))
  const { code, text } = await ran([join(python, 'kubernetes-validate'), '--strict', file])
  expect([code === 0, text]).toEqual([false, expect.stringContaining('readinesProbe')])
})

test('kubectl, where there is one, puts the kustomizations together in the same way', async () => {
  if (!Bun.which('kubectl')) return
  for (const name of kustomizations) {
    const { code, text } = await ran(['kubectl', 'kustomize', join(deploy, 'kubernetes', name)])
    expect([name, code]).toEqual([name, 0])
    const theirs = text.split(/^---$/m).map(part => Bun.YAML.parse(part) as Record<string, any>)
    // The name of the image is replaced, which ours leaves out.
    const plain = (object: object) => JSON.parse(JSON.stringify(object).replaceAll(/registry\.[^"]+/g, 'tollgate'))
    const byKind = (objects: Record<string, any>[]) =>
      objects.toSorted((a, b) => a.kind.localeCompare(b.kind)).map(plain)
    expect(sortedLists(byKind(theirs))).toEqual(sortedLists(byKind(await kubernetesObjects(name))))
  }
})

/** kubectl puts volumes that were merged first. */
const sortedLists = (value: any): any => {
  if (Array.isArray(value))
    return value.map(sortedLists).toSorted((a, b) => String(a?.name).localeCompare(String(b?.name)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, sortedLists(field)]))
}

const COMPOSE =
  'import sys; from compose_spec import PyCompose; print(PyCompose.from_yaml(sys.stdin.read()).service_names())'

test('compose.yaml is valid by the Compose specification, which finds a field that there is not', async () => {
  // Without the merge keys of YAML, which Bun has put in.
  const compose = Bun.YAML.parse(await Bun.file(join(deploy, 'compose/compose.yaml')).text()) as Record<string, any>
  for (const service of Object.values(compose.services) as Record<string, unknown>[]) delete service['<<']
  const check = async (text: object) => {
    const child = Bun.spawn([join(python, 'python'), '-c', COMPOSE], {
      ...{ stdin: new Blob([JSON.stringify(text)]), stdout: 'pipe', stderr: 'pipe' },
    })
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    return { code: await child.exited, text: out + err }
  }
  expect(await check(compose)).toMatchObject({ code: 0, text: expect.stringContaining('node2') })
  compose.services.node1.read_onyl = true
  expect((await check(compose)).text).toContain('read_onyl')
})

test('systemd takes both services', async () => {
  if (!Bun.which('systemd-analyze')) throw new Error('these tests need systemd-analyze: install systemd')
  const services = ['tollgate.service', 'tollgate@.service'].map(name => {
    const text = readFileSync(join(deploy, 'systemd', name), 'utf8')
    // The executable has to be there.
    return written(name.replace('@', '@3001'), text.replaceAll('/usr/local/bin/tollgate', '/bin/true'))
  })
  const { code, text } = await ran(['systemd-analyze', 'verify', ...services])
  // What is wrong is only printed; other services of this machine are not ours.
  expect([code, text.split('\n').filter(line => line.includes('tollgate'))]).toEqual([0, []])
})

test('nginx, HAProxy and Caddy take their files', async () => {
  const { key, cert } = await newCertificate()
  const [keyFile, certFile] = [written('tollgate.key', key), written('tollgate.pem', cert)]
  const both = written('both.pem', cert + key)

  const site = readFileSync(join(deploy, 'balancers/nginx.conf'), 'utf8')
    .replace('/etc/ssl/tollgate.pem', certFile)
    .replace('/etc/ssl/tollgate.key', keyFile)
  const main = `pid ${folder}/nginx.pid; error_log stderr; events {} http { include ${written('site.conf', site)}; }`
  const nginx = await ran([serverProgram('nginx'), '-t', '-p', folder, '-c', written('nginx.conf', main)])
  expect([nginx.code, nginx.text]).toEqual([0, expect.not.stringMatching(/warn|emerg/)])

  const haproxy = readFileSync(join(deploy, 'balancers/haproxy.cfg'), 'utf8').replace('/etc/haproxy/tollgate.pem', both)
  expect(await ran([serverProgram('haproxy'), '-c', '-q', '-f', written('haproxy.cfg', haproxy)])).toEqual({
    code: 0,
    text: '',
  })

  for (const path of ['balancers/Caddyfile', 'compose/Caddyfile']) {
    cpSync(join(deploy, path), join(folder, 'Caddyfile'))
    const validate = ['caddy', 'validate', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    const caddy = await ran(validate, { SITE: 'ai.example.com' })
    expect([path, caddy.code, caddy.text.includes('not formatted')]).toEqual([path, 0, false])
  }
})
