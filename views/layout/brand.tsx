/** Logo and system name, linked to the home page. */
import { Mark } from '../../client/components/icon.tsx'
import type { Visit } from '../../src/contracts/visit.ts'

export const Brand = ({ visit, className }: { visit: Visit; className?: string }) => (
  <a className={className ? `brand ${className}` : 'brand'} href="/">
    {visit.status.logo ? <img className="mark" src={visit.status.logo} alt="" /> : <Mark />}
    {visit.status.system_name}
  </a>
)
