/** What the code makes of videos and pictures: what models can make, states, and what clients read of tasks. */
import type { TaskStatus } from '../../../src/contracts/task.ts'
import { klingAnswer } from '../../../src/formats/kling-videos/write-task.ts'
import { writePictureTask } from '../../../src/formats/openai-images/write-task.ts'
import { writeGeneration, writeVideo } from '../../../src/formats/openai-videos/write-video.ts'
import { completed, type VideoCapabilities } from '../../../src/formats/videos/capabilities.ts'
import { withoutRemix } from '../../../src/formats/videos/remix.ts'
import { hasLostFiles, traitsOf, type VideoRequest, withoutFiles } from '../../../src/formats/videos/request.ts'
import { pixelsOf } from '../../../src/formats/videos/sizes.ts'
import { statusIn, taskState, usualWords } from '../../../src/formats/videos/states.ts'
import { each, linesOf } from './lines.ts'
import { kept, makerLists, picture, statuses } from './task-lines.ts'

const abilities: Record<string, VideoCapabilities> = {
  free: {
    models: 'm',
    pattern: /./,
    seconds: { min: 4, max: 12, usual: 5 },
    resolutions: ['720p', '1080p'],
    ratios: ['16:9', '9:16'],
    first_frame: 'optional',
    last_frame: true,
    references: 2,
    video: 'optional',
    sound: true,
    seed: true,
    negative_prompt: true,
    own_fields: ['a'],
  },
  sized: { models: 'm', pattern: /./, seconds: [4, 8], sizes: ['1280x720', '720x1280'], first_frame: 'required' },
  edits: { models: 'm', pattern: /./, video: 'required', keeps_length: true },
}
const wish: VideoRequest = {
  ...{
    model: 'm',
    prompt: 'A ball',
    seconds: 8,
    resolution: '1080p',
    ratio: '9:16',
    first_frame: picture,
    last_frame: picture,
    references: [picture],
  },
  ...{ seed: 1, negative_prompt: 'N', sound: true, metadata: { a: 1 } },
}
const wishes: Record<string, VideoRequest> = {
  wish,
  open: { model: 'm', prompt: 'A ball' },
  long: { model: 'm', prompt: 'A ball', seconds: 13 },
  sized: {
    model: 'm',
    prompt: 'A ball',
    size: '720x1280',
    resolution: '720p',
    ratio: '9:16',
    seconds: 8,
    first_frame: picture,
  },
  video: { model: 'm', prompt: 'A ball', video: picture },
  remix: { ...wish, remixed_id: 'r', remixed_url: picture, first_frame: 'data:image/png;base64,' },
}

const videoLines = (): string[] => [
  ...each(wishes, function* (title, body) {
    for (const [name, able] of Object.entries(abilities))
      yield* linesOf(`${title} ${name}`, body, read => [
        completed(read as VideoRequest, able),
        withoutRemix(read as VideoRequest, able),
      ])
    yield* linesOf(`${title} traits`, body, read => [
      traitsOf(read as VideoRequest),
      withoutFiles(read as VideoRequest),
      hasLostFiles(read as VideoRequest),
      pixelsOf(read as VideoRequest),
    ])
  }),
  ...[...Object.keys(usualWords), 'SUCCESS', 'other', 7].map(word => `word ${word}: ${statusIn(word)}`),
  ...statuses.flatMap(status => [
    `state ${status}: ${JSON.stringify([taskState({ status, progress: 140.5, video: { url: picture, cover_url: '' } }), taskState({ status, progress: -1, video: { url: 'no address' } }), taskState({ status, video: { file_id: 'f' } })])}`,
    `task ${status}: ${JSON.stringify([undefined, picture].map(url => [writeVideo(video(status), url), writeGeneration(video(status), url), klingAnswer(video(status), url, 'r')]))}`,
    `picture ${status}: ${JSON.stringify(writePictureTask({ ...kept(status), result: { data: [{ url: 'a', b: 1 }, { url: 'b' }], usage: { n: 1 } } }, at => (at ? undefined : picture)))}`,
  ]),
]

const video = (status: TaskStatus) => ({
  ...kept(status),
  input: { seconds: '8.2', size: '1280x720' },
  origin_id: status === 'SUCCESS' ? 'video_0' : '',
})

export const taskLists: Record<string, () => string[]> = { ...makerLists, 'videos tasks': videoLines }
