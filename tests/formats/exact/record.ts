/** Records what the code makes of the bodies: `node src/launch.mjs tests/formats/exact/record.ts`, then read the difference. */
import { fileOf, lists } from './lists.ts'

for (const [list, lines] of Object.entries(lists)) await Bun.write(fileOf(list), `${lines().join('\n')}\n`)
