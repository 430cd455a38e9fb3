// @engine sqlite
/** Files of docs/deploy: what they promise of rights, of the end of a node, and of secrets. */
import { expect, test } from 'bun:test'
import { kubernetesObjects } from '../support/deploy/kubernetes.ts'

const textOf = (path: string) => Bun.file(path).text()
/** After DRAIN_SECONDS: streams, their last events, the last bills. */
const STOP_SECONDS = 30 + 3 + 10

type Yaml = Record<string, any>

const pods = async () =>
  (await Promise.all(['base', 'migrate', 'overlays/sqlite'].map(kubernetesObjects)))
    .flat()
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ kind, spec }) => ({ kind, spec, pod: spec.template.spec as Yaml }))

test('pods run as restricted: no root, a root that cannot be written, no rights, no token of the cluster', async () => {
  expect(await pods()).toHaveLength(3)
  for (const { pod } of await pods()) {
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.securityContext).toMatchObject({
      ...{ runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    })
    for (const { securityContext, resources } of pod.containers) {
      expect(securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      })
      expect(resources).toMatchObject({ requests: { cpu: expect.any(String) }, limits: { memory: expect.any(String) } })
    }
  }
})

test('probes ask the process whether it lives and the node whether it is ready, and a pod has time to end', async () => {
  const settings = (await kubernetesObjects('base')).find(({ kind }) => kind === 'ConfigMap')!.data
  const deployments = (await pods()).filter(({ kind }) => kind === 'Deployment')
  expect(deployments).toHaveLength(2)
  for (const { pod } of deployments) {
    const [container] = pod.containers
    const { startupProbe, livenessProbe, readinessProbe, lifecycle } = container
    const paths = [startupProbe, livenessProbe, readinessProbe].map(probe => probe.httpGet.path)
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz'])
    const preStop = Number(lifecycle.preStop.exec.command[1])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(preStop + Number(settings.DRAIN_SECONDS) + STOP_SECONDS)
    // A balancer that asks every 2 seconds finds out in time.
    const { periodSeconds, failureThreshold } = readinessProbe
    expect(preStop + Number(settings.DRAIN_SECONDS)).toBeGreaterThan(periodSeconds * failureThreshold)
  }
})

test('nodes on PostgreSQL are spread, scaled and rolled out without a gap; the one on SQLite has a volume', async () => {
  const kinds = (objects: Yaml[]) => objects.map(({ kind }) => kind).sort()
  const base = await kubernetesObjects('base')
  expect(kinds(base)).toEqual([
    ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Namespace', 'PodDisruptionBudget', 'Service'],
  ])
  const deployment = base.find(({ kind }) => kind === 'Deployment')!.spec
  expect(deployment.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
  expect(deployment.template.spec.topologySpreadConstraints).toHaveLength(2)
  const single = await kubernetesObjects('overlays/sqlite')
  expect(kinds(single)).toEqual(['ConfigMap', 'Deployment', 'Namespace', 'PersistentVolumeClaim', 'Service'])
  const { replicas, strategy, template } = single.find(({ kind }) => kind === 'Deployment')!.spec
  expect([replicas, strategy]).toEqual([1, { type: 'Recreate' }])
  expect(template.spec.volumes.find(({ name }: Yaml) => name === 'data')).toEqual({
    ...{ name: 'data', persistentVolumeClaim: { claimName: 'tollgate' } },
  })
})

test('compose runs two nodes without root on a root that cannot be written, behind what they wait for', async () => {
  const { services } = Bun.YAML.parse(await textOf('docs/deploy/compose/compose.yaml')) as Yaml
  expect(Object.keys(services)).toEqual(['node1', 'node2', 'caddy', 'postgres', 'redis'])
  for (const node of [services.node1, services.node2]) {
    expect(node).toMatchObject({
      ...{ user: '10001:10001', read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
    })
    const drain = Number(node.environment.DRAIN_SECONDS)
    expect(Number.parseInt(node.stop_grace_period, 10)).toBeGreaterThan(drain + STOP_SECONDS)
    for (const name of Object.keys(node.depends_on)) expect(services).toHaveProperty(name)
  }
  expect(await textOf('docs/deploy/compose/Caddyfile')).toContain('node1:3000 node2:3000')
})

test('the image runs as a user without rights, and lists its packages', async () => {
  const dockerfile = await textOf('Dockerfile')
  const user = /--uid (\d+) .*\btollgate\b/.exec(dockerfile)?.[1]
  expect([user, /^USER (\w+)$/m.exec(dockerfile)?.[1]]).toEqual(['10001', 'tollgate'])
  expect(dockerfile).toContain('/build/dist/tollgate.cdx.json')
})

test('services of systemd wait for a node to end before they kill it', async () => {
  for (const name of ['tollgate', 'tollgate@']) {
    const text = await textOf(`docs/deploy/systemd/${name}.service`)
    const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(text)?.[1] ?? 0)
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])
    expect([name, stop > drain + STOP_SECONDS]).toEqual([name, true])
    for (const setting of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes', 'CapabilityBoundingSet='])
      expect([name, text.split('\n').includes(setting)]).toEqual([name, true])
  }
})

test('files of docs/deploy name settings that there are, hold no secret, and are all linked', async () => {
  const files = await Array.fromAsync(new Bun.Glob('docs/deploy/**/*').scan({ dot: true }))
  const settings = [...(await textOf('src/env.ts')).matchAll(/^ {4}([A-Z][A-Z_]+):/gm)].map(([, name]) => name!)
  const others = ['POSTGRES_', 'AF_']
  for (const path of files) {
    const text = await textOf(path)
    const named = [...text.matchAll(/\b([A-Z][A-Z\d]*_[A-Z_]+)\b/g)].map(([, name]) => name!)
    const unknown = named.filter(name => !settings.includes(name) && !others.some(other => name.startsWith(other)))
    expect([path, unknown]).toEqual([path, []])
    // Given from outside, by reference or by the shell that asks for them.
    const given = [...text.matchAll(/(?:SECRET_KEY|SETUP_TOKEN|POSTGRES_PASSWORD)(?:=|: +)(\S*)/g)].map(
      ([, value]) => value!,
    )
    expect([path, given.filter(value => value && !/^(\$\{\w+:\?\}|…)/.test(value))]).toEqual([path, []])
  }
  const index = await textOf('docs/deploy/README.md')
  const linked = (path: string) => index.includes(`(${path.slice('docs/deploy/'.length)})`)
  const entries = files.filter(
    path => !path.endsWith('README.md') && !/kubernetes\/.*(?<!kustomization)\.yaml$/.test(path),
  )
  expect(entries.filter(path => !linked(path))).toEqual([])
})
