ALTER TABLE `redemptions` ADD `key_tail` text;--> statement-breakpoint
CREATE INDEX `redemptions_tail` ON `redemptions` (`key_tail`);