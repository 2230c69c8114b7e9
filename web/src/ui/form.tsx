/** Fields of forms: a label, the input, a hint, and what was wrong with it. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { isFailure } from '../api/client.ts'

interface FieldProps {
  label: string
  hint?: ReactNode
  problem?: string | undefined
}

export function TextField({
  label,
  hint,
  problem,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        {...described(id, hint, problem)}
        className={`input ${rest.className ?? ''}`}
      />
      <Below id={id} hint={hint} problem={problem} />
    </div>
  )
}

export function TextArea({
  label,
  hint,
  problem,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        {...rest}
        {...described(id, hint, problem)}
        className="input mono"
        spellCheck={false}
      />
      <Below id={id} hint={hint} problem={problem} />
    </div>
  )
}

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly (readonly [value: string, label: string])[]
}

export function SelectField({ label, hint, problem, options, ...rest }: FieldProps & SelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Select {...rest} {...described(id, hint, problem)} options={options} />
      <Below id={id} hint={hint} problem={problem} />
    </div>
  )
}

export function Select({ options, ...rest }: SelectProps) {
  return (
    <select {...rest} className="select">
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

export function Check({
  label,
  ...rest
}: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="check">
      <input type="checkbox" {...rest} />
      {label}
    </label>
  )
}

function described(id: string, hint: ReactNode, problem: string | undefined) {
  const below = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return {
    id,
    'aria-invalid': problem !== undefined,
    ...(below === '' ? {} : { 'aria-describedby': below }),
  }
}

function Below({
  id,
  hint,
  problem,
}: {
  id: string
  hint: ReactNode
  problem: string | undefined
}) {
  return (
    <>
      {problem && (
        <span className="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </>
  )
}

/** What a refusal said of one field; `path` may go deeper than the field. */
export function problemOf(error: unknown, path: string): string | undefined {
  if (!isFailure(error)) return undefined
  return error.problems.find((one) => one.path === path || one.path.startsWith(`${path}.`))?.message
}

/** A text of a form; '' where it has none. */
export function textIn(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value.trim() : ''
}
