/** Objects of a kustomization of docs/deploy/kubernetes, put together as `kubectl kustomize` does, as far as ours need it. */
import { join } from 'node:path'

type Yaml = Record<string, any>

const root = 'docs/deploy/kubernetes'

const parsed = async (path: string) => Bun.YAML.parse(await Bun.file(path).text()) as Yaml

/** @param folder `base`, `migrate` or an overlay */
export async function kubernetesObjects(folder: string): Promise<Yaml[]> {
  const at = join(root, folder)
  const { resources, patches = [], namespace } = await parsed(join(at, 'kustomization.yaml'))
  const found = await Promise.all(
    (resources as string[]).map(async name =>
      name.endsWith('.yaml') ? [await parsed(join(at, name))] : kubernetesObjects(join(folder, name)),
    ),
  )
  let objects = found.flat()
  for (const { path, patch } of patches as { path?: string; patch?: string }[]) {
    const change = path ? await parsed(join(at, path)) : (Bun.YAML.parse(patch!) as Yaml)
    const target = objects.find(({ kind, metadata }) => kind === change.kind && metadata.name === change.metadata.name)
    if (!target) throw new Error(`${folder} patches ${change.kind} ${change.metadata.name}, which there is not`)
    objects = objects.flatMap(object =>
      object !== target ? [object] : change.$patch === 'delete' ? [] : [merged(object, change) as Yaml],
    )
  }
  return objects.map(object =>
    object.kind === 'Namespace' ? object : { ...object, metadata: { ...object.metadata, namespace } },
  )
}

const isObject = (value: unknown): value is Yaml => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A strategic merge: fields by name, lists of named things by their names, null takes away. */
function merged(value: unknown, change: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(change)) return mergedLists(value, change)
  if (!isObject(change)) return change
  const { $patch, ...fields } = change
  if ($patch === 'replace' || !isObject(value)) return fields
  const all = Object.entries(fields).map(([name, field]) => [name, merged(value[name], field)])
  return Object.fromEntries(
    Object.entries({ ...value, ...Object.fromEntries(all) }).filter(([, field]) => field !== null),
  )
}

function mergedLists(list: Yaml[], change: Yaml[]) {
  const changed = list.map(item => merged(item, change.find(({ name }) => name === item.name) ?? {}))
  return [...changed, ...change.filter(({ name }) => !list.some(item => item.name === name))]
}
