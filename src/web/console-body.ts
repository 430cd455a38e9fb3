/** Reads the bodies of the console's requests, which are small; the relay has its own limit. */
import { BodyShare } from './body-budget.ts'
import { readBytes } from './read-body.ts'
import { addressOf } from './request.ts'

export const CONSOLE_BODY_MB = 1

interface Context {
  request: Request
  server: Parameters<typeof addressOf>[1]
}

/** A body is read before its sender is known: it counts as one of its address. @throws Refusal as `readBytes` */
export async function readConsoleBody({ request, server }: Context): Promise<Uint8Array> {
  using share = new BodyShare(addressOf(request, server))
  return await readBytes(request, CONSOLE_BODY_MB, share)
}
