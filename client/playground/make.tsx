/** Tab of the playground that makes pictures, songs and videos: a form, and what was made on this visit. */
import { type FormEvent, useId, useState } from 'react'
import {
  MADE_KINDS,
  MADE_PATH,
  type MadeKind,
  type MadeModels,
  type MadeTask,
  type PlaygroundGroup,
} from '../../src/contracts/playground.ts'
import { isFinal } from '../../src/contracts/task.ts'
import { usePageContext } from '../components/page-context.tsx'
import { Made } from './made.tsx'

export interface MakeProps {
  groups: PlaygroundGroup[]
  /** The group to begin with. */
  group: string
  models: MadeModels
}

/** A submitted task, or one that was refused. */
export interface MadeEntry {
  key: number
  kind: MadeKind
  prompt: string
  task?: MadeTask
  error?: string
}

const SIZES = ['1280x720', '720x1280']
const SECONDS = ['4', '8', '12']
const PAUSE_MS = 3000

export default function Make({ groups, group: initial, models }: MakeProps) {
  const { t } = usePageContext()
  const id = useId()
  const [group, setGroup] = useState(initial)
  const offered = models[group] ?? { pictures: [], drawings: [], music: [], videos: [] }
  const kinds = MADE_KINDS.filter(kind => offered[kind].length)
  const [chosen, setKind] = useState<MadeKind>('pictures')
  const kind = kinds.includes(chosen) ? chosen : kinds[0]
  const [entries, setEntries] = useState<MadeEntry[]>([])

  const change = (key: number, entry: Partial<MadeEntry>) =>
    setEntries(before => before.map(one => (one.key === key ? { ...one, ...entry } : one)))

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!kind) return
    const fields = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>
    const prompt = fields.prompt!.trim()
    const entry = { key: Date.now(), kind, prompt }
    setEntries(before => [entry, ...before])
    await follow(kind, group, bodyOf(kind, fields), told => change(entry.key, told))
  }

  return (
    <>
      <form className="grid gap-4 max-w-2xl" onSubmit={event => void submit(event)}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Choice
            id={`${id}-group`}
            label={t('make.group')}
            value={group}
            change={setGroup}
            options={groups.map(({ name, ratio }) => ({ value: name, label: `${name} ×${ratio}` }))}
          />
          <Choice
            id={`${id}-kind`}
            label={t('make.kind')}
            value={kind ?? ''}
            change={value => setKind(value as MadeKind)}
            options={kinds.map(name => ({ value: name, label: t(`make.kind_${name}`) }))}
          />
        </div>
        {kind === undefined && <p className="help m-0">{t('make.no_models')}</p>}
        {kind === 'pictures' && (
          <Named id={`${id}-model`} name="model" label={t('make.model')} values={offered.pictures} />
        )}
        {kind === 'videos' && (
          <div className="grid gap-3 sm:grid-cols-3">
            <Named id={`${id}-model`} name="model" label={t('make.model')} values={offered.videos} />
            <Named id={`${id}-seconds`} name="seconds" label={t('make.seconds')} values={SECONDS} />
            <Named id={`${id}-size`} name="size" label={t('make.size')} values={SIZES} />
          </div>
        )}
        {kind === 'music' && (
          <div className="grid gap-3 sm:grid-cols-2">
            <Text id={`${id}-title`} name="title" label={t('make.title')} />
            <Text id={`${id}-tags`} name="tags" label={t('make.tags')} />
          </div>
        )}
        <div className="field">
          <label htmlFor={`${id}-prompt`}>{t(kind === 'music' ? 'make.lyrics' : 'make.prompt')}</label>
          <textarea id={`${id}-prompt`} name="prompt" className="textarea" rows={3} required />
        </div>
        <button type="submit" className="btn btn-primary justify-self-start" disabled={kind === undefined}>
          {t('make.submit')}
        </button>
      </form>
      <ul className="grid gap-4 mt-6 p-0 list-none" aria-live="polite">
        {entries.map(entry => (
          <Made key={entry.key} entry={entry} />
        ))}
      </ul>
    </>
  )
}

interface ChoiceProps {
  id: string
  label: string
  value: string
  change: (value: string) => void
  options: { value: string; label: string }[]
}

const Choice = ({ id, label, value, change, options }: ChoiceProps) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <select id={id} className="select" value={value} onChange={({ target }) => change(target.value)}>
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  </div>
)

const Named = ({ id, name, label, values }: { id: string; name: string; label: string; values: string[] }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <select id={id} name={name} className="select">
      {values.map(value => (
        <option key={value}>{value}</option>
      ))}
    </select>
  </div>
)

const Text = ({ id, name, label }: { id: string; name: string; label: string }) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <input id={id} name={name} className="input" autoComplete="off" />
  </div>
)

function bodyOf(kind: MadeKind, { prompt, title, tags, model, seconds, size }: Record<string, string>) {
  if (kind === 'drawings') return { prompt }
  if (kind === 'pictures') return { model, prompt }
  return kind === 'music' ? { prompt, title, tags } : { model, prompt, seconds, size }
}

/** Submits, and asks until the task has ended; what fails is shown once. */
async function follow(kind: MadeKind, group: string, body: object, tell: (told: Partial<MadeEntry>) => void) {
  try {
    let task = await call(`${MADE_PATH}/${kind}?${new URLSearchParams({ group })}`, body)
    tell({ task })
    while (!isFinal(task.status)) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      task = await call(`${MADE_PATH}/${task.id}`)
      tell({ task })
    }
  } catch (error) {
    tell({ error: (error as Error).message })
  }
}

/** @throws Error with the message of the gateway, or of the maker */
async function call(path: string, body?: object): Promise<MadeTask> {
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    cache: 'no-store',
    headers: { 'content-type': 'application/json', 'tollgate-user': document.documentElement.dataset.user ?? '' },
    body: body && JSON.stringify(body),
  })
  const answer = (await response.json().catch(() => ({}))) as MadeTask & { error?: { message?: string } }
  if (!response.ok) throw new Error(answer.error?.message ?? String(response.status))
  return answer
}
