/** Moves a channel whose provider has ended the service to the type that serves its successor. */
import type { Actor } from '../../../contracts/actor.ts'
import { notFound } from '../../../contracts/refusal.ts'
import { channelById } from '../../routing/index.ts'
import { endedService } from './catalogue.ts'
import type { Channel } from './channel.ts'
import { changeChannel } from './service.ts'
import { flawsOf } from './validate.ts'

/**
 * Changes the type and keeps the rest.
 * @throws Refusal 404 for a channel without a successor, 400 for a field or key that the successor cannot use
 */
export async function moveToSuccessor(id: number, actor: Actor): Promise<Channel> {
  const channel = await channelById(id)
  const { successor } = (channel && endedService(channel.type)) ?? {}
  if (!channel || !successor) throw notFound('channel.gone')
  const { base_url, other = '', setting, keys } = channel
  const [flaw] = flawsOf({
    type: successor.type,
    base_url,
    other,
    setting: JSON.stringify(setting),
    key: keys.join('\n'),
  })
  if (flaw) throw flaw
  return changeChannel({ id, type: successor.type }, actor)
}
