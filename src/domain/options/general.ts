/** Options of addresses: the site and the fetch proxy. */
import { baseUrl, secret, section } from './declare.ts'

export const general = section({
  tab: 'system',
  root: true,
  options: {
    ServerAddress: baseUrl({ publicAs: 'server_address' }),
    WorkerUrl: baseUrl(),
    WorkerValidKey: secret(),
  },
})
