/** `bun run docs`: writes the documents that are generated from the code. A test fails while one of them is behind. */
import { clientsDocument } from './clients.ts'
import { fieldsDocument } from './fields.ts'
import { formatsDocument } from './formats.ts'
import { providersDocument } from './providers.ts'
import { screensDocument } from './screens.ts'
import { tasksDocument } from './tasks.ts'
import { watchingDocument } from './watching.ts'

await Bun.write('docs/clients.md', clientsDocument())
await Bun.write('docs/fields.md', fieldsDocument())
await Bun.write('docs/formats.md', formatsDocument())
await Bun.write('docs/providers.md', providersDocument())
await Bun.write('docs/screens.md', screensDocument())
await Bun.write('docs/tasks.md', tasksDocument(await Bun.file('docs/tasks.md').text()))
await Bun.write('docs/watching.md', watchingDocument(await Bun.file('docs/watching.md').text()))
