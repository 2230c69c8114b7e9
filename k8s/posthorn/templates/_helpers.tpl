{{- define "posthorn.labels" -}}
app.kubernetes.io/name: posthorn
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "posthorn.selector" -}}
app.kubernetes.io/name: posthorn
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "posthorn.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "posthorn.secret" -}}
{{ required "existingSecret: name a Secret with DATABASE_URL, REDIS_URL, KAFKA_BROKERS and MASTER_KEY" .Values.existingSecret }}
{{- end }}

{{/* Settings that are no secrets. */}}
{{- define "posthorn.settings" -}}
{{- $own := dict "HOST" "0.0.0.0" "PORT" "8080" "NODE_ENV" "production" "TRUSTED_PROXIES" (toString .Values.trustedProxies) "SHUTDOWN_LINGER_MS" "5000" }}
{{- if .Values.publicUrl }}{{ $_ := set $own "PUBLIC_URL" .Values.publicUrl }}{{ end }}
{{- $all := merge (deepCopy .Values.settings) $own }}
{{- range $name := keys $all | sortAlpha }}
- name: {{ $name }}
  value: {{ get $all $name | quote }}
{{- end }}
{{- end }}

{{/* Settings that decide about pods: a change restarts them. */}}
{{- define "posthorn.checksum" -}}
{{ include "posthorn.settings" . | sha256sum }}
{{- end }}

{{- define "posthorn.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "posthorn.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Whether something else than `replicas` decides how many pods a service has. */}}
{{- define "posthorn.isScaled" -}}
{{- $service := index .root.Values.services .name -}}
{{- $byKeda := and .root.Values.keda.enabled (has .name (list "dispatcher" "fanout")) -}}
{{- if or $byKeda (dig "autoscaling" "enabled" false $service) }}true{{ end }}
{{- end }}

{{/*
The number of pods that a scaled service keeps. Where Helm gave that number before, leaving it out
would set it to 1; once a scaler has changed it, it is the scaler's, and left alone. A Helm that
merges by itself (operation Update) compares with its last manifest, so it always needs the number.
*/}}
{{- define "posthorn.keptReplicas" -}}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace (printf "%s-%s" .root.Release.Name .name) -}}
{{- $isKept := false -}}
{{- range dig "metadata" "managedFields" list $live -}}
{{- if hasPrefix "helm" .manager -}}
{{- if or (eq .operation "Update") (hasKey (dig "fieldsV1" "f:spec" dict .) "f:replicas") }}{{ $isKept = true }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if $isKept }}{{ int $live.spec.replicas }}{{ end }}
{{- end }}
