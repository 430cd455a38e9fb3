/** Every channel type, by its number. */
import * as available from './available.ts'
import type { Provider } from './kit/provider.ts'
import { planned } from './planned.ts'

export const providers: readonly Provider[] = [...Object.values(available), ...planned].sort((a, b) => a.type - b.type)

const byType = new Map(providers.map(provider => [provider.type, provider]))

export const providerOf = (type: number): Provider | undefined => byType.get(type)
