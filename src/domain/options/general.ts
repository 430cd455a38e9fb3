/** Options of addresses: the site and the fetch proxy. */
import { baseUrl, secret, section } from './declare.ts'

export const server = section({
  tab: 'system',
  root: true,
  options: { ServerAddress: baseUrl({ publicAs: 'server_address' }) },
})

export const worker = section({
  tab: 'system',
  root: true,
  options: { WorkerUrl: baseUrl(), WorkerValidKey: secret() },
})
