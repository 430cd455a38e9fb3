/** Reads unions of names out of a file of types, by the TypeScript compiler. */
import { join } from 'node:path'
import { API, type Type } from 'typescript/unstable/async'

const folder = import.meta.dir

/** @param path of a file in this folder. @returns the string literals of every exported type, by its name */
export async function readTypes(path: string): Promise<Record<string, string[]>> {
  const file = join(folder, path)
  const api = new API({ cwd: folder })
  try {
    const snapshot = await api.updateSnapshot({ openFiles: [file] })
    const project = await snapshot.getDefaultProjectForFile(file)
    const source = await project?.program.getSourceFile(file)
    const module = source && (await project!.checker.getSymbolAtLocation(source))
    if (!module) throw new Error(`${path} cannot be read`)
    const exported = await project!.checker.getExportsOfModule(module)
    const entries = exported.map(async symbol => [
      symbol.name,
      await literals(await project!.checker.getDeclaredTypeOfSymbol(symbol)),
    ])
    return Object.fromEntries(await Promise.all(entries))
  } finally {
    await api.close()
  }
}

async function literals(type: Type): Promise<string[]> {
  const members = type.isUnionType() ? await type.getTypes() : [type]
  return members.flatMap(member => (member.isStringLiteralType() ? [member.value] : []))
}
