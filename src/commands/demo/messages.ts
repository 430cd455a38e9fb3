/** Messages of the demo, to all users. */
import { SYSTEM } from '../../contracts/actor.ts'
import { NewMessage } from '../../contracts/message.ts'
import { createMessage } from '../../domain/messages/index.ts'

const welcome = {
  title: 'Welcome to the demo',
  content: `Everything here is made up, and it is deleted when the demo stops.

- Create a key under [API keys](/app/tokens) and make a call.
- Its receipt is in the [usage log](/app/logs/api-usage).`,
}

const maintenance = {
  title: 'Maintenance on Saturday',
  content: `The gateway is updated on **Saturday, 02:00–04:00 UTC**.

1. Calls that are running are finished first.
2. New calls get \`503\` with \`Retry-After\` for about a minute.

| Group | Now | From Monday |
|:--|--:|--:|
| vip | ×0.8 | ×0.75 |
| premium | ×1.5 | ×1.5 |`,
}

export const sendWelcome = () => send(welcome)
export const sendMaintenance = () => send(maintenance)

const send = (text: { title: string; content: string }) =>
  createMessage(SYSTEM, NewMessage.parse({ ...text, all: true }))
