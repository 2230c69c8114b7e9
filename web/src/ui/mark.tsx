/** The mark: a post horn, coiled. */
export function Mark() {
  return (
    <span className="mark" aria-hidden>
      <svg
        width="18"
        height="18"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <circle cx="10" cy="11" r="6" />
        <path d="M2 17h12c3 0 5-1 8-4v10c-3-3-5-4-8-4" />
      </svg>
    </span>
  )
}
