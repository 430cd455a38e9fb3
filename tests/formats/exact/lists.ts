/** All lists of lines, by the names of their files. */

import { choiceLists } from './choice-lines.ts'
import { errorLists } from './error-lines.ts'
import { finishLists } from './finish-lines.ts'
import { chatLists } from './lines.ts'
import { videoMakerLists } from './maker-lines.ts'
import { operationLists } from './operation-lines.ts'
import { orderLists } from './order-lines.ts'
import { pieceLists } from './piece-lines.ts'
import { taskLists } from './video-lines.ts'

export const lists = {
  ...chatLists,
  ...operationLists,
  ...taskLists,
  ...videoMakerLists,
  ...choiceLists,
  ...finishLists,
  ...pieceLists,
  ...orderLists,
  ...errorLists,
}

export const fileOf = (list: string) => `${import.meta.dir}/recorded/${list.replaceAll(' ', '-')}.txt`
