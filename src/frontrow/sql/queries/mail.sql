-- Mails of a copy that sends none.

-- name: keep_mail
-- The mail $1 to $2 with the subject $3, as text $4 and as HTML $5. One that is there already stays as it is.
INSERT INTO kept_mail (message_id, recipient, subject, words, html, kept_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp())
    ON CONFLICT (message_id) DO NOTHING;

-- name: newest_mails
-- The newest $1 mails.
SELECT recipient, subject, words, kept_at FROM kept_mail ORDER BY mail_id DESC LIMIT $1;

-- name: forget_mails
-- Forget at most $1 mails, all but the newest $2.
DELETE FROM kept_mail
 WHERE mail_id = ANY (ARRAY(
        SELECT older.mail_id
          FROM (SELECT mail_id FROM kept_mail ORDER BY mail_id DESC OFFSET $2) AS older
         LIMIT $1))
RETURNING 1 AS gone;
