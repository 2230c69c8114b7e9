/** The filters above a list: a text that Enter searches for, and selects that apply at once. */
import type { ReactNode } from 'react'
import { textIn } from './form.tsx'

interface SearchFormProps {
  label: string
  placeholder: string
  /** What the URL says is searched for. */
  value: string | undefined
  onSearch: (text: string) => void
  children: ReactNode
}

export function SearchForm({
  label,
  placeholder,
  value = '',
  onSearch,
  children,
}: SearchFormProps) {
  return (
    <form
      className="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(textIn(event.currentTarget, 'q'))
      }}
    >
      <input
        key={value}
        className="input search"
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value}
      />
      {children}
    </form>
  )
}
