/** Every channel type, by its number. */
import * as available from './available.ts'
import type { Provider } from './kit/provider.ts'

export const providers: readonly Provider[] = Object.values(available).sort((a, b) => a.type - b.type)

const byType = new Map(providers.map(provider => [provider.type, provider]))

export const providerOf = (type: number): Provider | undefined => byType.get(type)
