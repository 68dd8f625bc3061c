# The bot as an image: what it stands on from the lock file, its own code, and a user who may write to /data alone.
FROM python:3.13-slim AS built
WORKDIR /bot
COPY requirements.lock .
RUN python -m venv /bot/.venv \
    && /bot/.venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home parlour
WORKDIR /bot
COPY --from=built /bot/.venv /bot/.venv
COPY bot.py .
COPY cogs cogs
COPY db db
COPY docs/pictures docs/pictures
COPY engines engines
COPY host host
COPY render render
COPY tables tables
RUN /bot/.venv/bin/python -m compileall -q bot.py cogs db engines host render tables
ENV PATH=/bot/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL=sqlite:////data/parlour.db \
    PRACTICE_DATABASE_URL=sqlite:////data/practice.db \
    PRACTICE_BROWSER=false \
    METRICS_PORT=9464
USER parlour
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 CMD ["python", "bot.py", "health"]
ENTRYPOINT ["python", "bot.py"]
