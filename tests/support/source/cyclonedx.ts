/** The schema of CycloneDX 1.6, as its own library brings it. */
import { z } from 'zod'

const folder = 'node_modules/@cyclonedx/cyclonedx-library/res/schema'
const read = (name: string) => Bun.file(`${folder}/${name}.SNAPSHOT.schema.json`).json()

/** What differs from the schema; empty for a document that conforms. */
export async function violationsOf(document: unknown) {
  const [bom, licences] = await Promise.all(['bom-1.6', 'spdx'].map(read))
  // Both stand in files of their own. No document here is signed.
  Object.assign(bom.definitions, { spdx: { type: 'string', enum: licences.enum }, signature: { not: {} } })
  const whole = JSON.stringify(bom)
    .replaceAll('"spdx.SNAPSHOT.schema.json"', '"#/definitions/spdx"')
    .replaceAll(/"jsf-[^"]+"/g, '"#/definitions/signature"')
  return z.fromJSONSchema(JSON.parse(whole)).safeParse(document).error?.issues ?? []
}

export const licenceIds = async () => new Set<string>((await read('spdx')).enum)
