/** Note on users whose names differ in case only, for root, who can rename one of them. */
import { OverlayLink } from '../../client/components/link.tsx'
import { usePageContext } from '../../client/components/page-context.tsx'
import { type UsersView, usersAt } from './view.ts'

/** Users with one name in different cases. */
export type TwinGroup = { id: number; username: string }[]

export function Twins({ groups, view }: { groups: TwinGroup[]; view: UsersView }) {
  const { t } = usePageContext()
  return (
    <div className="note warning mb-4">
      <div>
        <p className="m-0">{t('user.twins')}</p>
        <ul className="m-0 mt-2 flex flex-wrap gap-x-6 gap-y-1 list-none p-0">
          {groups.map(group => (
            <li key={group[0]!.id} className="flex gap-3">
              {group.map(({ id, username }) => (
                <OverlayLink key={id} className="underline" href={usersAt(view, { edit: id })}>
                  {username}
                </OverlayLink>
              ))}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
