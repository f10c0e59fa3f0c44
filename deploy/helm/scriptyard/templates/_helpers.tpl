{{- define "scriptyard.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "scriptyard.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "scriptyard.labels" -}}
{{ include "scriptyard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- /* Whether the pod runs the embedded PostgreSQL: "true" or empty. */ -}}
{{- define "scriptyard.isEmbedded" -}}
{{- if not .Values.database.secretName }}true{{ end -}}
{{- end -}}

{{- /* Whether DATA_DIR has data that must stay: "true" or empty. */ -}}
{{- define "scriptyard.isStateful" -}}
{{- if or (include "scriptyard.isEmbedded" .) (not .Values.settings.MEDIA_S3_ENDPOINT) }}true{{ end -}}
{{- end -}}

{{- /* Rules between values, which the schema cannot say in a sentence. */ -}}
{{- define "scriptyard.check" -}}
{{- if not .Values.settings.PUBLIC_URL }}{{ fail "Set settings.PUBLIC_URL to the https URL of the site." }}{{ end -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- if not .Values.database.secretName }}{{ fail "More than one replica needs a PostgreSQL of your own: set database.secretName to the name of the secret with its URL." }}{{ end -}}
{{- if not .Values.settings.MEDIA_S3_ENDPOINT }}{{ fail "More than one replica needs shared image storage: set settings.MEDIA_S3_ENDPOINT, MEDIA_S3_BUCKET, MEDIA_S3_REGION and MEDIA_S3_ACCESS_KEY_ID." }}{{ end -}}
{{- if not .Values.secretName }}{{ fail "More than one replica needs the same SECRET_KEY: set secretName to the name of a secret that has it." }}{{ end -}}
{{- end -}}
{{- if and .Values.settings.MEDIA_S3_ENDPOINT (not .Values.secretName) }}{{ fail "settings.MEDIA_S3_ENDPOINT needs MEDIA_S3_SECRET_ACCESS_KEY: set secretName to the name of a secret that has it." }}{{ end -}}
{{- if and (or .Values.metrics.serviceMonitor.enabled .Values.metrics.prometheusRule.enabled) (not .Values.metrics.enabled) }}{{ fail "metrics.serviceMonitor and metrics.prometheusRule need metrics.enabled." }}{{ end -}}
{{- end -}}

{{- define "scriptyard.pod" -}}
metadata:
  labels:
    {{- include "scriptyard.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # A service named "metrics" would otherwise set METRICS_PORT.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: site
      image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop:
            - ALL
      env:
        {{- range $name, $value := .Values.settings }}
        {{- if ne (toString $value) "" }}
        - name: {{ $name }}
          value: {{ kindIs "float64" $value | ternary (int64 $value | toString) (toString $value) | quote }}
        {{- end }}
        {{- end }}
        {{- if .Values.metrics.enabled }}
        - name: METRICS_PORT
          value: {{ .Values.metrics.port | quote }}
        - name: METRICS_HOST
          value: 0.0.0.0
        {{- end }}
        {{- with .Values.database }}
        {{- if .secretName }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ .secretName }}
              key: {{ .secretKey }}
        {{- end }}
        {{- end }}
      {{- with .Values.secretName }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 3000
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: {{ .Values.metrics.port }}
        {{- end }}
      # A migration runs before the port is opened.
      startupProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet:
          path: /healthz
          port: http
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 2
      lifecycle:
        preStop:
          exec:
            # Requests still arrive until all nodes know that the pod stops.
            command: [sleep, '5']
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: temporary
          mountPath: /tmp
        - name: shared-memory
          mountPath: /dev/shm
        {{- if .Values.persistence.backupClaim }}
        - name: backups
          mountPath: /backups
        {{- end }}
  volumes:
    - name: data
      {{- if include "scriptyard.isStateful" . }}
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim | default (include "scriptyard.name" .) }}
      {{- else }}
      emptyDir: {}
      {{- end }}
    - name: temporary
      emptyDir: {}
    # For parallel queries of PostgreSQL.
    - name: shared-memory
      emptyDir:
        medium: Memory
        sizeLimit: 256Mi
    {{- with .Values.persistence.backupClaim }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
