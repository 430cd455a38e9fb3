// @engine sqlite
/** The packages of the server: `npm start` installs the dependencies alone. */
import { expect, test } from 'bun:test'
import { dependencies } from '../package.json'
import { read } from './support/source/files.ts'

const isOwn = /^(\.|node:|bun$|bun:)/
const packageOf = (path: string) => /^(?:@[^/]+\/)?[^/]+/.exec(path)![0]

test('sources import only packages that npm start installs', async () => {
  const files = await read('{src,views,client}/**/*.{ts,tsx}')
  const imports = files.flatMap(({ path, code }) =>
    new Bun.Transpiler({ loader: path.endsWith('x') ? 'tsx' : 'ts' }).scanImports(code),
  )
  const packages = new Set(imports.flatMap(({ path }) => (isOwn.test(path) ? [] : packageOf(path))))
  expect(packages.size).toBeGreaterThan(20)
  expect(Array.from(packages).filter(name => !Object.hasOwn(dependencies, name))).toEqual([])
})
