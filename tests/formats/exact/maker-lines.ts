/** What makers of videos are sent: of each model all that it can do, one wish after the other. */

import { isFlaw } from '../../../src/formats/json/checks.ts'
import { completed, type VideoCapabilities } from '../../../src/formats/videos/capabilities.ts'
import type { VideoRequest } from '../../../src/formats/videos/request.ts'
import { providers } from '../../../src/providers/index.ts'
import type { VideoApi, VideoUpstream } from '../../../src/providers/kit/video-api.ts'
import { videoWires } from '../../support/upstream/videos/wires.ts'
import { picture } from './task-lines.ts'

const inline = 'data:image/png;base64,iVBORw0KGgo='

/** Wishes that a model may fulfil, each with the ratio and the length that it has for others. */
function* wishesOf(able: VideoCapabilities): Generator<[title: string, wish: Partial<VideoRequest>]> {
  const { ratios = [], resolutions = [], sizes = [], references = 0, own_fields = [] } = able
  const [ratio, resolution, size] = [ratios[0], resolutions.at(-1), sizes.at(-1)]
  const shape = size ? { size } : { ...(ratio && { ratio }), ...(resolution && { resolution }) }
  yield ['open', {}]
  yield ['shaped', shape]
  for (const one of resolutions) yield [`resolution ${one}`, { resolution: one }]
  for (const one of ratios) yield [`ratio ${one}`, { ratio: one }]
  for (const frame of [picture, inline]) {
    yield [`frame ${frame.slice(0, 4)}`, { ...shape, first_frame: frame }]
    yield [`frames ${frame.slice(0, 4)}`, { ...shape, first_frame: frame, last_frame: `${frame}l` }]
    const pictures = Array.from({ length: references }, (_, at) => `${frame}${at}`)
    if (references) yield [`references ${frame.slice(0, 4)}`, { ...shape, references: pictures }]
  }
  yield ['video', { ...shape, video: 'https://example.com/v.mp4' }]
  for (const field of [{ sound: false }, { seed: 7 }, { negative_prompt: 'No cats' }])
    yield [`field ${Object.keys(field).join()}`, { ...shape, ...field }]
  for (const field of own_fields) yield [`own ${field}`, { metadata: { [field]: 'A' } }]
}

function* linesOf(name: string, { submitUrl, write }: VideoUpstream, able: VideoCapabilities, config: object) {
  for (const [title, wish] of wishesOf(able)) {
    const { first_frame, video } = able
    const needed = {
      ...(first_frame === 'required' && { first_frame: picture }),
      ...(video === 'required' && { video: picture }),
    }
    const request = completed({ model: able.models, prompt: 'A ball', ...needed, ...wish }, able)
    const line = `${name} ${able.models} ${title}: `
    if (isFlaw(request)) yield `${line}refused ${request.code} ${request.param}`
    else yield `${line}${submitUrl(config as never, able.models, request)} ${JSON.stringify(write(request))}`
  }
}

const makerLines = (): string[] =>
  providers.flatMap(({ type, label, apis }) => {
    const { video } = (apis.videos ?? {}) as Partial<VideoApi>
    const key = videoWires.find(({ channel }) => channel.type === type)?.channel.key
    const config = { base_url: 'https://maker.example', key, token: 'earned', setting: {} }
    return video ? video.capabilities.flatMap(able => [...linesOf(String(label), video, able, config)]) : []
  })

export const videoMakerLists: Record<string, () => string[]> = { 'video makers': makerLines }
